// The page's own words in the acting member's language. A language is one table here; English stands in for what a table
// lacks. Turkish never joins a suffix to a name or a number.

const ENGLISH = {
  actAs: "Act as",
  switchHint: "Alt+M: next member",
  administrator: "Administrator",
  plainMember: "Member",
  channels: "Channels",
  directMessages: "Direct messages",
  archived: "archived",
  openChannels: "Show channels",
  closeChannels: "Hide channels",
  kinds: { 0: "text channel", 2: "voice channel", 5: "announcements", 10: "thread", 11: "thread", 12: "private thread", 13: "stage", 15: "forum", 16: "media forum" },
  unread: "unread",
  online: ({ bot }) => `${bot} is online`,
  offline: ({ bot }) => `${bot} is offline`,
  offlineLong: ({ bot }) => `${bot} is offline. Commands and buttons get no answer until it is back.`,
  lost: "The connection to the sandbox is lost. Trying again …",
  messagesIn: ({ channel }) => `Messages in ${channel}`,
  beginning: ({ channel }) => `This is the beginning of ${channel}.`,
  nothingYet: "Nothing has been written here yet.",
  forumEmpty: "No posts yet.",
  forumChoose: "A forum holds posts. Choose one:",
  loading: "Loading …",
  cannotRead: "This channel cannot be shown:",
  older: "Show older messages",
  newest: "Go to the newest messages",
  fresh: "New messages",
  app: "APP",
  edited: "(edited)",
  onlyYou: "Only you can see this",
  dismiss: "Dismiss message",
  used: ({ name, command }) => [name, " used ", command],
  thinking: ({ bot }) => `${bot} is thinking …`,
  sending: "Sending the command …",
  noResponse: "The application did not respond",
  actionFailed: "This interaction failed",
  modalFailed: "Something went wrong. Try again.",
  spoiler: "Spoiler: press to show",
  choose: "Make a selection",
  chooseBetween: ({ min, max }) => (min === max ? `Choose ${max}` : `Choose ${min} to ${max}`),
  submitChoices: ({ n }) => `Submit (${n})`,
  cancel: "Cancel",
  submit: "Submit",
  file: "File",
  otherComponent: ({ kind }) => `${kind}: not shown in the sandbox`,
  writeTo: ({ channel }) => `Message to ${channel}; / for commands`,
  writeHere: "Type / for commands, or a message",
  sendMessage: "Send message",
  commands: "Commands",
  commandsLoading: "Loading commands …",
  noCommands: "No command of this name that you may use here.",
  noneRegistered: ({ bot }) => `${bot} has not registered any commands.`,
  suggestions: ({ option }) => `Suggestions for ${option}`,
  optionsLoading: "Loading options …",
  optionsFailed: "Loading options failed",
  noOptions: "Nothing fits.",
  required: "required",
  optional: "optional",
  sendCommand: "Send command",
  stopCommand: "Leave this command",
  enterToSend: "Enter: send",
  needsValue: "This option is required.",
  needsWhole: "A whole number is needed.",
  needsNumber: "A number is needed.",
  needsChoice: "Choose one of the suggestions.",
  tooSmall: ({ n }) => `At least ${n}.`,
  tooLarge: ({ n }) => `At most ${n}.`,
  tooShort: ({ n }) => `At least ${n} characters.`,
  tooLong: ({ n }) => `At most ${n} characters.`,
  yes: "True",
  no: "False",
  hint: {
    canStart: ({ name, command }) => ["You are ", name, ", who may start quizzes. Type ", command, " in the box below, then switch to another member at the top and press a letter."],
    canNot: ({ name }) => ["You are ", name, ". Press a letter when a question stands here. To start a quiz, switch at the top to a quizmaster, then type / in the box below."],
    close: "Got it",
  },
};

const TURKISH = {
  actAs: "Kim olarak",
  switchHint: "Alt+M: sonraki üye",
  administrator: "Yönetici",
  plainMember: "Üye",
  channels: "Kanallar",
  directMessages: "Özel mesajlar",
  archived: "arşivlendi",
  openChannels: "Kanalları göster",
  closeChannels: "Kanalları gizle",
  kinds: { 0: "metin kanalı", 2: "ses kanalı", 5: "duyuru kanalı", 10: "alt başlık", 11: "alt başlık", 12: "gizli alt başlık", 13: "sahne", 15: "forum", 16: "medya forumu" },
  unread: "okunmamış",
  online: ({ bot }) => `${bot} çevrimiçi`,
  offline: ({ bot }) => `${bot} çevrimdışı`,
  offlineLong: ({ bot }) => `${bot} çevrimdışı. Geri gelene kadar komutlar ve düğmeler cevapsız kalır.`,
  lost: "Deneme sunucusuyla bağlantı koptu. Yeniden deneniyor …",
  messagesIn: ({ channel }) => `Mesajlar: ${channel}`,
  beginning: ({ channel }) => `${channel} burada başlıyor.`,
  nothingYet: "Burada henüz bir şey yazılmadı.",
  forumEmpty: "Henüz gönderi yok.",
  forumChoose: "Forumda gönderiler bulunur. Birini seç:",
  loading: "Yükleniyor …",
  cannotRead: "Bu kanal gösterilemiyor:",
  older: "Daha eski mesajları göster",
  newest: "En yeni mesajlara git",
  fresh: "Yeni mesajlar",
  app: "UYGULAMA",
  edited: "(düzenlendi)",
  onlyYou: "Bunu yalnızca sen görebilirsin",
  dismiss: "Mesajı kapat",
  used: ({ name, command }) => [name, " şu komutu kullandı: ", command],
  thinking: ({ bot }) => `${bot} düşünüyor …`,
  sending: "Komut gönderiliyor …",
  noResponse: "Uygulama yanıt vermedi",
  actionFailed: "Bu etkileşim başarısız oldu",
  modalFailed: "Bir şeyler ters gitti. Yeniden dene.",
  spoiler: "Gizli metin: görmek için bas",
  choose: "Seçim yap",
  chooseBetween: ({ min, max }) => (min === max ? `${max} seçim yap` : `${min}–${max} seçim yap`),
  submitChoices: ({ n }) => `Gönder (${n})`,
  cancel: "Vazgeç",
  submit: "Gönder",
  file: "Dosya",
  otherComponent: ({ kind }) => `${kind}: deneme sunucusunda gösterilmiyor`,
  writeTo: ({ channel }) => `${channel}: mesaj; komut için /`,
  writeHere: "Komut için / yaz ya da bir mesaj",
  sendMessage: "Mesajı gönder",
  commands: "Komutlar",
  commandsLoading: "Komutlar yükleniyor …",
  noCommands: "Burada kullanabileceğin böyle bir komut yok.",
  noneRegistered: ({ bot }) => `${bot} henüz komut kaydetmedi.`,
  suggestions: ({ option }) => `Öneriler: ${option}`,
  optionsLoading: "Seçenekler yükleniyor …",
  optionsFailed: "Seçenekler yüklenemedi",
  noOptions: "Uyan bir şey yok.",
  required: "gerekli",
  optional: "isteğe bağlı",
  sendCommand: "Komutu gönder",
  stopCommand: "Bu komuttan çık",
  enterToSend: "Enter: gönder",
  needsValue: "Bu seçenek gerekli.",
  needsWhole: "Bir tam sayı gerekli.",
  needsNumber: "Bir sayı gerekli.",
  needsChoice: "Önerilerden birini seç.",
  tooSmall: ({ n }) => `En az ${n} olmalı.`,
  tooLarge: ({ n }) => `En çok ${n} olmalı.`,
  tooShort: ({ n }) => `En az ${n} karakter olmalı.`,
  tooLong: ({ n }) => `En çok ${n} karakter olmalı.`,
  yes: "Doğru",
  no: "Yanlış",
  hint: {
    canStart: ({ name, command }) => ["Şu an ", name, " olarak buradasın ve quiz başlatabilirsin. Aşağıdaki kutuya ", command, " yaz, sonra yukarıdan başka bir üyeye geç ve bir harfe bas."],
    canNot: ({ name }) => ["Şu an ", name, " olarak buradasın. Burada bir soru varken bir harfe bas. Quiz başlatmak için yukarıdan bir quiz yetkilisine geç, sonra aşağıdaki kutuya / yaz."],
    close: "Anladım",
  },
};

const LANGUAGES = { en: ENGLISH, tr: TURKISH };
let table = ENGLISH;

/** Speak this locale's language from now on. */
export function setLanguage(locale) {
  table = LANGUAGES[locale.split("-")[0]] ?? ENGLISH;
}

/** Return a text of the page ("hint.close"), with its parameters filled in. */
export function word(key, parameters = {}) {
  const found = lookUp(table, key) ?? lookUp(ENGLISH, key);
  return typeof found === "function" ? found(parameters) : found;
}

/** Tell the name of a language in that language. */
export function languageName(locale) {
  const name = new Intl.DisplayNames([locale], { type: "language", languageDisplay: "standard", style: "short" }).of(locale);
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** Reduce a text for searching: no case, no accents, and no difference between the Turkish i's. */
export function fold(text) {
  return text.replace(/[İIı]/g, "i").toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "");
}

function lookUp(words, key) {
  return key.split(".").reduce((found, part) => found?.[part], words);
}
