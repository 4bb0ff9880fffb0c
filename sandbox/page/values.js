// Values of command options: what can be suggested without asking the bot, and reading what was typed. No DOM.

import { channelsOf, roles, users } from "./entities.js";
import { fold, word } from "./words.js";

export const OptionType = {
  string: 3, integer: 4, boolean: 5, user: 6, channel: 7, role: 8, mentionable: 9, number: 10, file: 11,
};

const MOST_SUGGESTIONS = 25;

/** List what an option offers by itself that fits a text: [{name, value}]; null if it offers nothing. */
export function ownChoices(option, text) {
  const offered = offer(option);
  if (!offered) return null;
  const wanted = fold(text);
  return offered.filter((choice) => fold(choice.name).includes(wanted)).slice(0, MOST_SUGGESTIONS);
}

/** Read a text as the value of an option: {value} or {fault}, or {} when it is empty and may be. */
export function readValue(option, text, picked) {
  if (picked) return { value: picked.value };
  if (text === "") return option.required ? { fault: word("needsValue") } : {};
  const offered = offer(option);
  if (offered) {
    const match = offered.find((choice) => fold(choice.name) === fold(text));
    return match ? { value: match.value } : { fault: word("needsChoice") };
  }
  if (option.type === OptionType.integer || option.type === OptionType.number) return readNumber(option, text);
  return readText(option, text);
}

/** Read a chosen file as the control interface takes it: its name and its bytes in base64. */
export async function readFile(file) {
  const url = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return { filename: file.name, data: url.slice(url.indexOf(",") + 1) };
}

function offer(option) {
  if (option.choices?.length) return option.choices;
  switch (option.type) {
    case OptionType.boolean:
      return [{ name: word("yes"), value: true }, { name: word("no"), value: false }];
    case OptionType.user:
      return users().map(named);
    case OptionType.role:
      return roles().map(named);
    case OptionType.mentionable:
      return [...users(), ...roles()].map(named);
    case OptionType.channel:
      return channelsOf(option.channel_types).map(named);
    default:
      return null;
  }
}

function named({ id, name }) {
  return { name, value: id };
}

function readNumber(option, text) {
  const whole = option.type === OptionType.integer;
  const plain = text.replace(",", ".");
  const fits = whole ? /^[+-]?\d+$/.test(text) : /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain);
  if (!fits) return { fault: word(whole ? "needsWhole" : "needsNumber") };
  const value = Number(plain);
  if (option.min_value != null && value < option.min_value) return { fault: word("tooSmall", { n: option.min_value }) };
  if (option.max_value != null && value > option.max_value) return { fault: word("tooLarge", { n: option.max_value }) };
  return { value };
}

function readText(option, text) {
  if (text.length < (option.min_length ?? 0)) return { fault: word("tooShort", { n: option.min_length }) };
  if (text.length > (option.max_length ?? Infinity)) return { fault: word("tooLong", { n: option.max_length }) };
  return { value: text };
}
