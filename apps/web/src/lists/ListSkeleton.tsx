import { Delayed, Skeleton } from '@parquetry/ui'
import styles from './lists.module.css'

const bones = Array.from({ length: 12 }, (_, index) => index)

/** Skeleton in the layout of the loading list. */
export const ListSkeleton = ({ cards, columns }: { cards: boolean; columns: number }) => (
  <Delayed>
    {cards ? (
      <div className={styles.boneGrid}>
        {bones.map((bone) => (
          <Skeleton key={bone} height={200} />
        ))}
      </div>
    ) : (
      bones.map((bone) => (
        <div key={bone} className={styles.boneRow}>
          <Skeleton width={`${24 + ((bone * 7) % 16)}%`} />
          {Array.from({ length: columns }, (_, index) => (
            <Skeleton key={index} width="10%" />
          ))}
        </div>
      ))
    )}
  </Delayed>
)
