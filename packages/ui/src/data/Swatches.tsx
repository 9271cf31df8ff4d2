import styles from './data.module.css'

/** Colors of a scheme in a row; the name of the scheme is beside them. */
export function Swatches({ colors }: { colors: readonly string[] }) {
  return (
    <span className={styles.swatches} aria-hidden="true">
      {colors.map((color, index) => (
        <i key={index} style={{ background: color }} />
      ))}
    </span>
  )
}
