/** Call `draw` for every picture that the browser is about to show, for as long as the page lives. */
export function eachFrame(draw: () => void): void {
  const frame = (): void => {
    requestAnimationFrame(frame);
    draw();
  };
  requestAnimationFrame(frame);
}
