// The recording of a clip: what is drawn while a stretch of the film plays, as a WebM file.

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"] as const;
const FRAMES_PER_S = 30;
const BITS_PER_S = 6_000_000;

/** Return the kind of video that this browser records; null for none. */
export function recordedKind(): string | null {
  if (typeof MediaRecorder === "undefined") return null;
  return KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null;
}

export class ClipRecorder {
  private readonly recorder: MediaRecorder;
  private readonly pieces: Blob[] = [];

  /** Begin to record a canvas. Throws where the browser records nothing. */
  constructor(canvas: HTMLCanvasElement) {
    const kind = recordedKind();
    if (kind === null) throw new Error("this browser records no video");
    this.recorder = new MediaRecorder(canvas.captureStream(FRAMES_PER_S), { mimeType: kind, videoBitsPerSecond: BITS_PER_S });
    this.recorder.addEventListener("dataavailable", (event) => this.pieces.push(event.data));
    this.recorder.start();
  }

  /** Stop, and return what was recorded. */
  async stop(): Promise<Blob> {
    const ended = new Promise((done) => this.recorder.addEventListener("stop", done, { once: true }));
    this.recorder.stop();
    await ended;
    for (const track of this.recorder.stream.getTracks()) track.stop();
    return new Blob(this.pieces, { type: "video/webm" });
  }
}

/** Offer a file to whoever uses the page. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
