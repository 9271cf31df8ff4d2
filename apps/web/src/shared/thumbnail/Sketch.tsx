import type { IconName } from '@parquetry/ui'
import type { ReactNode } from 'react'
import styles from './Sketch.module.css'

const bar = (x: number, height: number) => <rect key={x} x={x} y={86 - height} width={12} height={height} rx={2} />
const tile = (x: number, y: number, width: number, height: number) => (
  <rect key={`${x}-${y}`} x={x} y={y} width={width} height={height} rx={3} />
)
const wave = 'M24 70 L46 52 L68 60 L90 36 L112 44 L136 22'

const drawings: Partial<Record<IconName, ReactNode>> = {
  dashboard: (
    <>
      <g className={styles.soft}>{[tile(24, 18, 34, 18), tile(63, 18, 34, 18), tile(24, 41, 73, 41)]}</g>
      <g className={styles.strong}>{[tile(102, 18, 34, 18), tile(102, 41, 34, 41)]}</g>
    </>
  ),
  table: (
    <>
      <g className={styles.strong}>{tile(24, 20, 112, 10)}</g>
      <g className={styles.soft}>{[36, 50, 64].flatMap((y) => [tile(24, y, 40, 8), tile(70, y, 66, 8)])}</g>
    </>
  ),
  chart: (
    <g className={styles.strong}>
      {[28, 46, 64, 82, 100, 118].map((x, index) => bar(x, [24, 38, 32, 52, 46, 62][index] ?? 0))}
    </g>
  ),
  line: <path className={styles.line} d={wave} />,
  area: (
    <>
      <path className={styles.soft} d={`${wave} V86 H24 Z`} />
      <path className={styles.line} d={wave} />
    </>
  ),
  pie: (
    <g fill="none" strokeWidth={16}>
      <circle className={styles.ring} cx={80} cy={50} r={26} />
      <path className={styles.part} d="M80 24 A26 26 0 0 1 104 60" />
    </g>
  ),
  number: (
    <>
      <g className={styles.strong}>{tile(36, 28, 88, 24)}</g>
      <g className={styles.soft}>{tile(36, 62, 56, 8)}</g>
    </>
  ),
}

const ownLines = (path: string) => (
  <path className={styles.line} d={path} transform="translate(44 14) scale(4.5)" vectorEffect="non-scaling-stroke" />
)

/** The lines of a sketch, 160 by 100. Null for kinds without one. */
export const sketchLines = (kind: IconName): ReactNode => drawings[kind] ?? (kind.startsWith('M') && ownLines(kind))

/** Drawing of an object's kind for its card: the kind only, never made-up data. Null for kinds without one. */
export function sketchOf(kind: IconName): ReactNode {
  const drawing = sketchLines(kind)
  return drawing && <SketchFrame>{drawing}</SketchFrame>
}

export const SketchFrame = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 160 100" className={styles.sketch} aria-hidden="true">
    {children}
  </svg>
)
