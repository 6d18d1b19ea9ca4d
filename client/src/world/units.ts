// The units of the page: metres, radians and quaternions (x, y, z, w), from the wire's integers.

export type Vec2 = [number, number];
export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

export function metres3(mm: readonly number[]): Vec3 {
  return [(mm[0] ?? 0) / 1000, (mm[1] ?? 0) / 1000, (mm[2] ?? 0) / 1000];
}

export function millimetres3(point: readonly number[]): Vec3 {
  return [
    Math.round((point[0] ?? 0) * 1000),
    Math.round((point[1] ?? 0) * 1000),
    Math.round((point[2] ?? 0) * 1000),
  ];
}

/** Return the rotation of a rotation vector in milliradians. */
export function quaternion(vector: readonly number[]): Quat {
  const [x = 0, y = 0, z = 0] = vector;
  const angle = Math.hypot(x, y, z) / 1000;
  if (angle === 0) return [0, 0, 0, 1];
  const scale = Math.sin(angle / 2) / (angle * 1000);
  return [x * scale, y * scale, z * scale, Math.cos(angle / 2)];
}

export function yawQuaternion(yaw: number): Quat {
  return [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)];
}

/** Return the heading of a rotation's -Z axis (rad). */
export function yawOf([x, y, z, w]: Quat): number {
  return Math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y));
}

/** Return the points of a ring (m) from its first point and then differences, in mm. */
export function ringPoints(values: readonly number[]): Vec2[] {
  const points: Vec2[] = [];
  let x = 0;
  let z = 0;
  for (let i = 0; i + 1 < values.length; i += 2) {
    x += values[i] ?? 0;
    z += values[i + 1] ?? 0;
    points.push([x / 1000, z / 1000]);
  }
  return points;
}

/** Bring an angle into (-pi, pi]. */
export function wrapAngle(angle: number): number {
  const turned = angle - Math.round(angle / (2 * Math.PI)) * 2 * Math.PI;
  return turned <= -Math.PI ? turned + 2 * Math.PI : turned;
}

/** Return the place in the world of `local`, a place in the frame of a body that stands at `origin`, turned by `yaw`. */
export function fromBody(origin: Vec3, yaw: number, local: Vec3): Vec3 {
  const s = Math.sin(yaw);
  const c = Math.cos(yaw);
  return [
    origin[0] + local[0] * c + local[2] * s,
    origin[1] + local[1],
    origin[2] - local[0] * s + local[2] * c,
  ];
}

/** Return the yaw and pitch that look from one point to another. */
export function aim(from: Vec3, to: Vec3): { yaw: number; pitch: number } {
  const dx = to[0] - from[0];
  const dz = to[2] - from[2];
  return {
    yaw: Math.atan2(-dx, -dz),
    pitch: Math.atan2(to[1] - from[1], Math.hypot(dx, dz)),
  };
}

export function isInside(point: Vec2, polygon: readonly Vec2[]): boolean {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, az] = polygon[i] as Vec2;
    const [bx, bz] = polygon[j] as Vec2;
    if (az > point[1] !== bz > point[1]) {
      if (point[0] < ((bx - ax) * (point[1] - az)) / (bz - az) + ax) odd = !odd;
    }
  }
  return odd;
}
