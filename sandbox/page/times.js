// Instants as the acting member reads them: in that member's language, in this browser's zone. Timestamps in messages
// (`<time data-unix data-style>`) are filled in here, and the relative ones tick by the sandbox's clock, not the browser's.

const FORMATS = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};
const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Infinity],
];

let locale = "en-US";
let offsetMs = 0;
let heldAtMs = null;
const formatters = new Map();

/** Write times in this language from now on. */
export function setLocale(next) {
  locale = next;
}

/** Take over the sandbox's clock: it may run ahead of ours, or stand still. */
export function setClock({ held, now }) {
  offsetMs = Date.parse(now) - Date.now();
  heldAtMs = held ? Date.parse(now) : null;
}

/** Tell the sandbox's time, in milliseconds. */
export function now() {
  return heldAtMs ?? Date.now() + offsetMs;
}

/** Write an instant (ISO text or milliseconds) in one of Discord's styles. */
export function write(instant, style = "f") {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return String(instant);
  return style === "R" ? relative(at.getTime()) : formatter(Intl.DateTimeFormat, FORMATS[style] ?? FORMATS.f).format(at);
}

/** Tell the local day of an instant, to compare it with others. */
export function dayOf(instant) {
  return new Date(instant).toDateString();
}

/** Fill in all timestamps below a node. */
export function fillTimes(root) {
  for (const time of root.querySelectorAll("time[data-unix]")) {
    const at = Number(time.dataset.unix) * 1000;
    time.dateTime = new Date(at).toISOString();
    time.title = write(at, "F");
    time.textContent = write(at, time.dataset.style || "f");
  }
}

/** Let the relative timestamps on the page tick. */
export function startTicking() {
  setInterval(() => {
    for (const time of document.querySelectorAll('time[data-style="R"]')) {
      const text = write(Number(time.dataset.unix) * 1000, "R");
      if (time.textContent !== text) time.textContent = text;
    }
  }, 1000);
}

function relative(at) {
  let amount = Math.round((at - now()) / 1000);
  for (const [unit, size] of STEPS) {
    if (Math.abs(amount) < size) return formatter(Intl.RelativeTimeFormat, {}).format(amount, unit);
    amount = Math.round(amount / size);
  }
  return "";
}

function formatter(Kind, options) {
  const key = `${Kind.name} ${locale} ${JSON.stringify(options)}`;
  if (!formatters.has(key)) formatters.set(key, new Kind(locale, options));
  return formatters.get(key);
}
