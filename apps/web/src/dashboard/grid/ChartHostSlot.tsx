import { useLayoutEffect, useRef } from 'react'
import { useDashboard } from '../state/context.ts'
import styles from './Grid.module.css'

/** Place for the host of a chart; the last slot to claim a host contains it. */
export function ChartHostSlot({ id, takes = true }: { id: string; takes?: boolean }) {
  const { hosts } = useDashboard()
  const slot = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (takes) slot.current?.append(hosts.of(id))
  }, [hosts, id, takes])
  return <div ref={slot} className={styles.slot} />
}
