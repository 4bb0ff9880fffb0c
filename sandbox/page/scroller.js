// Where the list of messages stands: at the newest, where it follows what comes, or further up, where it stays put.

import { h, icon } from "./dom.js";
import { changed } from "./state.js";
import { word } from "./words.js";

const NEAR_PX = 60;
const FLASH_MS = 2000;

/** The scrolling of the message list. */
export class Scroller {
  constructor(element, content) {
    this.element = element;
    this.atEnd = true;
    this.before = null;
    this.lastTop = 0;
    this.fresh = false;
    element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    // Pictures load and cards grow after they were drawn.
    const observer = new ResizeObserver(() => this.settle());
    observer.observe(content);
    observer.observe(element);
  }

  /** Follow the newest message from now on. */
  toEnd() {
    this.atEnd = true;
    this.fresh = false;
    this.settle();
    changed();
  }

  /** Note that something new came, which may be out of view. */
  noteNew() {
    this.fresh = !this.atEnd;
  }

  /** Stay with what is on show although older messages appear above it. */
  keepPlace() {
    const { scrollHeight, scrollTop } = this.element;
    this.before = { scrollHeight, scrollTop };
  }

  /** Bring the place in order after the content changed. */
  settle() {
    if (this.before && this.element.scrollHeight !== this.before.scrollHeight) {
      this.element.scrollTop = this.element.scrollHeight - (this.before.scrollHeight - this.before.scrollTop);
      this.before = null;
    } else if (this.atEnd) {
      this.element.scrollTop = this.element.scrollHeight;
    }
  }

  /** Show one message, mark it for a moment and put the focus on it. */
  showMessage(id) {
    const article = document.getElementById(`message-${id}`);
    if (!article) return;
    this.atEnd = false;
    article.scrollIntoView({ block: "center" });
    article.focus({ preventScroll: true });
    article.animate([{ backgroundColor: "var(--flash)" }, { backgroundColor: "transparent" }], { duration: FLASH_MS });
  }

  /** Draw the way back to the newest messages, when they are out of view. */
  drawButton() {
    if (this.atEnd) return null;
    return h(
      "button",
      { type: "button", class: `newest${this.fresh ? " fresh" : ""}`, onclick: () => this.toEnd() },
      icon("down"),
      word(this.fresh ? "fresh" : "newest"),
    );
  }

  scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    const near = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    // Growing content also moves the end away; only the reader moves up.
    const movedUp = scrollTop < this.lastTop;
    this.lastTop = scrollTop;
    const atEnd = near || (this.atEnd && !movedUp);
    if (atEnd === this.atEnd) return;
    this.atEnd = atEnd;
    if (atEnd) this.fresh = false;
    changed();
  }
}
