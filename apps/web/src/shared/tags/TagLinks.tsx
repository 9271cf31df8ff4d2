import type { TagSummary } from '@parquetry/model'
import { Link, Tag } from '@parquetry/ui'
import { tagHref } from './has-tags.ts'
import styles from './tags.module.css'

const maxShown = 2

/** The first tags as links to their pages, and the number of the others. */
export function TagLinks({ tags }: { tags: readonly TagSummary[] }) {
  const others = tags.slice(maxShown)
  return (
    <span className={styles.tags}>
      {tags.slice(0, maxShown).map(({ id, name }) => (
        <Link key={id} href={tagHref(id)} className={styles.link}>
          <Tag>{name}</Tag>
        </Link>
      ))}
      {others.length > 0 && (
        <span className={styles.more} title={others.map(({ name }) => name).join(', ')}>
          {`+${others.length}`}
        </span>
      )}
    </span>
  )
}
