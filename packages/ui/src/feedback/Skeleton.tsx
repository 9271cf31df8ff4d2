import { useEffect, useState, type ReactNode } from 'react'
import styles from './states.module.css'

export interface SkeletonProps {
  width?: number | string
  height?: number | string
}

/** One grey shape. The region around it says `aria-busy`. */
export const Skeleton = ({ width = '100%', height = 12 }: SkeletonProps) => (
  <span className={styles.bone} style={{ width, height }} aria-hidden="true" />
)

const showAfterMs = 150

/**
 * Shows its children only when waiting takes longer than 150 ms, so that quick answers do not flicker.
 * @param instead  what stays until then
 */
export function Delayed({ children, instead = null }: { children: ReactNode; instead?: ReactNode }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), showAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return shown ? children : instead
}

/** The line of 2 px on top of a region whose old content stays while the new one loads. */
export const ProgressLine = ({ label }: { label: string }) => (
  <div className={styles.progress} role="progressbar" aria-label={label} />
)
