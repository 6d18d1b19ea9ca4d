/** Play two soft notes, where the browser allows sound before the first click. */
export function chime(): void {
  try {
    const audio = new AudioContext();
    const start = audio.currentTime + 0.02;
    for (const [i, frequency] of [523.25, 783.99].entries()) {
      const note = audio.createOscillator();
      const volume = audio.createGain();
      note.frequency.value = frequency;
      note.type = "sine";
      volume.gain.setValueAtTime(0, start + i * 0.11);
      volume.gain.linearRampToValueAtTime(0.14, start + i * 0.11 + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, start + i * 0.11 + 0.5);
      note.connect(volume).connect(audio.destination);
      note.start(start + i * 0.11);
      note.stop(start + i * 0.11 + 0.55);
    }
  } catch {
    // No sound is no reason to be late.
  }
}
