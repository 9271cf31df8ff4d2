import { useEffect, useState, type ReactNode } from 'react'
import styles from './states.module.css'

export interface SkeletonProps {
  width?: number | string
  height?: number | string
}

/** A gray placeholder shape. The region around it sets `aria-busy`. */
export const Skeleton = ({ width = '100%', height = 12 }: SkeletonProps) => (
  <span className={styles.bone} style={{ width, height }} aria-hidden="true" />
)

const showAfterMs = 150

/**
 * Shows its children only if waiting takes longer than 150 ms, so that quick responses do not flicker.
 * @param instead  content until then
 */
export function Delayed({ children, instead = null }: { children: ReactNode; instead?: ReactNode }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), showAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return shown ? children : instead
}

/** A line of 2 px at the top of a region that keeps its old content while new content loads. */
export const ProgressLine = ({ label }: { label: string }) => (
  <div className={styles.progress} role="progressbar" aria-label={label} />
)
