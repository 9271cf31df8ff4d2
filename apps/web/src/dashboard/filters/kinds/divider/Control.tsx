import type { KindControlProps } from '../kind.ts'
import styles from '../../Filters.module.css'

export default function Divider({ filter }: KindControlProps) {
  return (
    <div className={styles.divider}>
      <h3>{filter.title}</h3>
      {filter.description && <p className={styles.note}>{filter.description}</p>}
    </div>
  )
}
