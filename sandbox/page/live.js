// The live connection: what one member sees happen, as it happens. It reconnects by itself, at most every few seconds,
// and says when it is connected, since whatever happened in between must then be fetched.

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 4000;

/** Events of one member at a time, until `close`. */
export class Live {
  constructor({ onEvent, onOpen, onLost }) {
    this.handlers = { onEvent, onOpen, onLost };
    this.wait = FIRST_WAIT_MS;
  }

  /** Follow this member from now on. */
  follow(member) {
    this.close();
    this.member = member;
    this.connect();
  }

  close() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/control/live?member=${encodeURIComponent(this.member)}`);
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.wait = FIRST_WAIT_MS;
      this.handlers.onOpen();
    };
    socket.onmessage = (frame) => {
      if (socket === this.socket) this.handlers.onEvent(JSON.parse(frame.data));
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.handlers.onLost();
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
    };
  }
}
