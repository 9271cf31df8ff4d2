import { Tooltip } from '../overlays/Tooltip.tsx'
import { useTranslate } from '../theme/i18n.ts'
import styles from './data.module.css'

export interface UserSummary {
  id?: number
  first_name?: string | null
  last_name?: string | null
  username?: string | null
}

export const userDisplayName = ({ first_name, last_name, username }: UserSummary): string =>
  [first_name, last_name].filter(Boolean).join(' ') || username || '?'

const initials = (name: string): string => {
  const words = name.split(/\s+/)
  const first = Array.from(words[0] ?? '')[0] ?? '?'
  const last = words.length > 1 ? (Array.from(words.at(-1) ?? '')[0] ?? '') : ''
  return (first + last).toLocaleUpperCase()
}

/** Initials in a circle of 24 px with the name in a tooltip; `plain` if the name is next to it. */
export function Avatar({ person, plain }: { person: UserSummary; plain?: boolean }) {
  const name = userDisplayName(person)
  if (plain) {
    return (
      <span className={styles.avatar} aria-hidden="true">
        {initials(name)}
      </span>
    )
  }
  return (
    <Tooltip text={name}>
      <span className={styles.avatar} role="img" aria-label={name}>
        <span aria-hidden="true">{initials(name)}</span>
      </span>
    </Tooltip>
  )
}

/** Shows up to four people (LIST-013) and the number of others. */
export function Avatars({ people, most = 4 }: { people: readonly UserSummary[]; most?: number }) {
  const t = useTranslate()
  const rest = people.slice(most)
  return (
    <span className={styles.avatars}>
      {people.slice(0, most).map((person, index) => (
        <Avatar key={person.id ?? index} person={person} />
      ))}
      {rest.length > 0 && (
        <Tooltip text={rest.map(userDisplayName).join(', ')}>
          <span
            className={styles.avatarRest}
            role="img"
            aria-label={t('ui.avatars.more', '{count, plural, one {# more} other {# more}}', { count: rest.length })}
          >
            <span aria-hidden="true">+{rest.length}</span>
          </span>
        </Tooltip>
      )}
    </span>
  )
}
