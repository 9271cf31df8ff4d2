/** A drawable area: alternating longitude and latitude, the outline first, then its holes. */
export interface Area {
  positions: Float64Array
  /** Start of each hole in `positions`, as deck.gl expects. */
  holeIndices: number[]
}

type Ring = readonly (readonly [number, number])[]

export const buildArea = ([outline = [], ...holes]: readonly Ring[]): Area => {
  const holeIndices: number[] = []
  const all: number[] = outline.flat()
  for (const hole of holes) {
    holeIndices.push(all.length)
    for (const [x, y] of hole) all.push(x, y)
  }
  return { positions: Float64Array.from(all), holeIndices }
}

/** Returns the rings of an area as subarrays of its positions. */
export const splitRings = ({ positions, holeIndices }: Area): Float64Array[] =>
  [0, ...holeIndices].map((from, index) => positions.subarray(from, holeIndices[index] ?? positions.length))

/** Builds areas from nested closed rings: a ring inside an outline is its hole, one inside a hole is an outline again. */
export function nestRings(rings: readonly Ring[]): Area[] {
  const facts = rings
    .filter((ring) => ring.length > 3)
    .map((ring) => ({
      ring,
      box: boundingBox(ring),
      size: Math.abs(signedArea(ring)),
      holes: [] as Ring[],
      isHole: false,
    }))
    .toSorted((a, b) => b.size - a.size)
  for (const [at, own] of facts.entries()) {
    const around = facts.slice(0, at).filter(({ ring, box }) => isIn(box, own.box) && contains(ring, own.ring[0]!))
    own.isHole = around.length % 2 === 1
    if (own.isHole) around.at(-1)?.holes.push(own.ring)
  }
  return facts.filter(({ isHole }) => !isHole).map(({ ring, holes }) => buildArea([ring, ...holes]))
}

type Box = readonly [left: number, top: number, right: number, bottom: number]

function boundingBox(ring: Ring): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of ring) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return [left, top, right, bottom]
}

const isIn = (outer: Box, inner: Box): boolean =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3]

const signedArea = (ring: Ring): number =>
  ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length]!
    return sum + x * nextY - nextX * y
  }, 0) / 2

function contains(ring: Ring, [x, y]: readonly [number, number]): boolean {
  let isInside = false
  for (let index = 0, before = ring.length - 1; index < ring.length; before = index++) {
    const [[x1, y1], [x2, y2]] = [ring[index]!, ring[before]!]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside
  }
  return isInside
}
