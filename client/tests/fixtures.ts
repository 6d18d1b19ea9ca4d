import { readFrame, readSnapshot, writeFrame, writeSnapshot } from "../src/wire/generated";
import type { Frame, Snapshot } from "../src/wire/generated";
import { World } from "../src/world/world";

/** A room of 4 x 4 m with a table, a cabinet with a drawer and a door, a cup and a person. */
export function snapshot(part: Partial<Snapshot> = {}): Snapshot {
  const made: Omit<Snapshot, "tag"> = {
    tick: 100,
    episodeId: "epi_1",
    taskText: "Bring the cup.",
    phase: "running",
    startedTick: 10,
    timeLimitTicks: 0,
    assetRoot: "/assets/v-1",
    stageAsset: "houses/h/stage.glb",
    profile: "cohabit",
    features: ["chat", "map"],
    reach: 2000,
    seats: [
      { seatId: "robot", kind: "robot", occupied: true, presence: "connected", finished: false, speed: 1500, radius: 250, height: 850, eye: [0, 950, -200], carry: [0, 820, -620], secondsLeft: -1, doing: "", program: false },
      { seatId: "human", kind: "human", occupied: true, presence: "connected", finished: false, speed: 1500, radius: 250, height: 1750, eye: [0, 1600, -50], carry: [160, 1080, -450], secondsLeft: -1, doing: "", program: false },
    ],
    rooms: [{ roomId: "kitchen.000", label: "kitchen", polygon: [-2000, -2000, 4000, 0, 0, 4000, -4000, 0] }],
    templates: [
      { name: "table_1", className: "table", kind: "furniture", low: [-500, 0, -500], high: [500, 750, 500], parts: [], affords: [], asset: "" },
      { name: "cabinet_1", className: "cabinet", kind: "furniture", low: [-400, 0, -300], high: [400, 900, 300], parts: [
        { name: "drawer", joint: "slide", origin: [0, 0, 0], axis: [0, 0, 1000], openValue: 400, space: [300, 120, 300] },
        { name: "door", joint: "hinge", origin: [-400, 0, 300], axis: [0, 1000, 0], openValue: -1800, space: [300, 400, 300] },
      ], affords: [], asset: "" },
      { name: "cup_1", className: "tea_cup", kind: "object", low: [-40, 0, -40], high: [40, 100, 40], parts: [], affords: ["is_clean", "is_filled"], asset: "special/cup.glb" },
    ],
    entities: [
      { template: 0, instance: 0, number: 1, room: 0, position: [1000, 0, 0], rotation: [0, 0, 0], label: "" },
      { template: 1, instance: 0, number: 1, room: 0, position: [-1000, 0, 0], rotation: [0, 1571, 0], label: "" },
      { template: 2, instance: 3, number: 2, room: -1, position: [1000, 750, 0], rotation: [0, 500, 0], label: "" },
      { template: -1, instance: 0, number: 0, room: -1, position: [0, 0, 0], rotation: [0, 0, 0], label: "" },
    ],
    walkable: [[[-1750, -1750, 3500, 0, 0, 3500, -3500, 0]]],
    agents: [
      { seat: 0, x: -1500, y: 0, z: 1500, yaw: 0, pitch: 0 },
      { seat: 1, x: 0, y: 0, z: 0, yaw: 1571, pitch: -200 },
    ],
    parts: [{ furniture: 1, part: 0, value: 400 }],
    holders: [],
    flags: [{ index: 2, state: "is_clean", value: true }],
    chat: [],
    finishing: false,
    clockTick: 10,
    ...part,
  };
  return readSnapshot(JSON.parse(JSON.stringify(writeSnapshot(made))));
}

export function frame(part: Partial<Frame> & { tick: number }): Frame {
  return readFrame(JSON.parse(JSON.stringify(writeFrame(part))));
}

export function world(part: Partial<Snapshot> = {}): World {
  return new World(snapshot(part), 1);
}

const ROBOT = { kind: "robot", occupied: true, presence: "connected", finished: false, speed: 1500, radius: 250, height: 850, eye: [0, 950, -200], carry: [0, 820, -620], secondsLeft: -1, doing: "", program: false } as const;
const PERSON = { ...ROBOT, kind: "human", height: 1750, eye: [0, 1600, -50], carry: [160, 1080, -450] } as const;

/** Three robots and two people, in the order of a session: robots first. The page is the first person's. */
export function teamOfFive(part: Partial<Snapshot> = {}): World {
  const seats = [
    ...["robot_0", "robot_1", "robot_2"].map((seatId) => ({ ...ROBOT, seatId, eye: [...ROBOT.eye], carry: [...ROBOT.carry] })),
    ...["human_0", "human_1"].map((seatId) => ({ ...PERSON, seatId, eye: [...PERSON.eye], carry: [...PERSON.carry] })),
  ] as Snapshot["seats"];
  const agents = seats.map((_, seat) => ({ seat, x: -1500 + seat * 600, y: 0, z: 1200, yaw: 0, pitch: 0 }));
  return new World(snapshot({ seats, agents, ...part }), 3);
}
