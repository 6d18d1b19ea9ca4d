// The sounds of the play page: short soft notes for what happens nearby.

type Sound = "pick" | "place" | "open" | "state" | "no" | "chat";

const NOTES: Record<Sound, [number, number]> = {
  pick: [440, 0.09],
  place: [294, 0.11],
  open: [349, 0.1],
  state: [587, 0.14],
  no: [175, 0.12],
  chat: [698, 0.12],
};

const SOUND_OF_VERB: Record<string, Sound> = { pick: "pick", place: "place", open: "open", close: "open" };

export class Sounds {
  on = true;
  private audio: AudioContext | null = null;

  verb(verb: string): void {
    this.play(SOUND_OF_VERB[verb] ?? "state");
  }

  play(sound: Sound): void {
    // Browsers allow no sound before the player has done something.
    if (!this.on || !navigator.userActivation?.hasBeenActive) return;
    try {
      this.audio ??= new AudioContext();
      const [frequency, length] = NOTES[sound];
      const start = this.audio.currentTime;
      const note = this.audio.createOscillator();
      const volume = this.audio.createGain();
      note.type = sound === "no" ? "triangle" : "sine";
      note.frequency.value = frequency;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(0.05, start + 0.01);
      volume.gain.exponentialRampToValueAtTime(0.0005, start + length);
      note.connect(volume).connect(this.audio.destination);
      note.start(start);
      note.stop(start + length + 0.02);
    } catch {
      this.on = false;
    }
  }
}
