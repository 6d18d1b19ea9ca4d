// Places on the canvas, in CSS pixels from its top left corner.

export interface Point {
  x: number;
  y: number;
}

export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}
