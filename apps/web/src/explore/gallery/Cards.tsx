import { findUnmetRequirement, type DataRequirements } from '@parquetry/charts'
import { type GalleryEntry } from '@parquetry/charts/gallery'
import { thumbnails } from '@parquetry/charts/views'
import { Icon, useTranslate, useTheme, type Translate } from '@parquetry/ui'
import { useRef, type KeyboardEvent } from 'react'
import { Badge } from './Badge.tsx'
import styles from './Gallery.module.css'

export interface CardsProps {
  /** Cards grouped by title; empty groups are omitted. */
  groups: readonly { title: string | null; charts: readonly GalleryEntry[] }[]
  /** Number of columns and metrics of each kind in the dataset. */
  supply: DataRequirements
  chosen: string | null
  onChoose(viz_type: string): void
  onSelect(viz_type: string): void
  /** A letter was typed, which belongs in the search field. */
  onType(): void
}

/** Cards of the chart types with a roving tab index. Arrow keys choose, Enter confirms, letters search. */
export function Cards({ groups, supply, chosen, onChoose, onSelect, onType }: CardsProps) {
  const t = useTranslate()
  const theme = useTheme()
  const box = useRef<HTMLDivElement>(null)
  const all = groups.flatMap(({ charts }) => charts)
  const inTabOrder = all.some(({ viz_type }) => viz_type === chosen) ? chosen : all[0]?.viz_type

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event
    const cards = [...(box.current?.querySelectorAll<HTMLButtonElement>('[data-viz]') ?? [])]
    const here = cards.findIndex((card) => card === document.activeElement)
    if (here < 0 || ctrlKey || metaKey || altKey) return
    if (key === 'Enter') {
      event.preventDefault()
      return onSelect(cards[here]?.dataset['viz'] ?? '')
    }
    // The focus moves first, so that the letter lands in the search field.
    if (key.length === 1 && key !== ' ') return onType()
    const next = nextCard(cards, here, key)
    if (!next) return
    event.preventDefault()
    next.focus()
    onChoose(next.dataset['viz'] ?? '')
  }

  return (
    <div
      ref={box}
      className={styles.cards}
      role="group"
      aria-label={t('explore.viz.types', 'Chart types')}
      onKeyDown={onKeyDown}
    >
      {groups.map(
        ({ title, charts }) =>
          charts.length > 0 && (
            <div key={title} className={styles.part}>
              {title !== null && <h3>{title}</h3>}
              {charts.map(({ viz_type, name, label, labelExplanation, needs }) => {
                const missing = findUnmetRequirement(needs, supply)
                return (
                  <button
                    key={viz_type}
                    type="button"
                    data-viz={viz_type}
                    className={styles.card}
                    tabIndex={viz_type === inTabOrder ? 0 : -1}
                    aria-pressed={viz_type === chosen}
                    onClick={() => onChoose(viz_type)}
                    onDoubleClick={() => onSelect(viz_type)}
                  >
                    {thumbnails[viz_type] ? (
                      <img src={thumbnails[viz_type][theme]} alt="" width={150} height={94} />
                    ) : (
                      <span className={styles.noThumbnail}>
                        <Icon name="chart" size={20} />
                      </span>
                    )}
                    <span className={styles.name}>{name}</span>
                    {label && <Badge label={label} explanation={labelExplanation} />}
                    {missing && <span className={styles.missing}>{formatMissingNeed(missing, t)}</span>}
                  </button>
                )
              })}
            </div>
          ),
      )}
    </div>
  )
}

/** Next card by arrow key, based on the rendered layout. */
function nextCard(cards: readonly HTMLButtonElement[], here: number, key: string): HTMLButtonElement | undefined {
  switch (key) {
    case 'ArrowRight':
      return cards[here + 1]
    case 'ArrowLeft':
      return cards[here - 1]
    case 'Home':
      return cards[0]
    case 'End':
      return cards.at(-1)
    case 'ArrowDown':
    case 'ArrowUp': {
      const from = cards[here]?.getBoundingClientRect()
      if (!from) return undefined
      const sign = key === 'ArrowDown' ? 1 : -1
      const cardBoxes = cards.map((card) => ({ card, box: card.getBoundingClientRect() }))
      const beyond = cardBoxes.filter(({ box }) => sign * (box.top - from.top) > from.height / 2)
      const row = Math.min(...beyond.map(({ box }) => Math.abs(box.top - from.top)))
      return beyond
        .filter(({ box }) => Math.abs(Math.abs(box.top - from.top) - row) < 2)
        .toSorted((a, b) => Math.abs(a.box.left - from.left) - Math.abs(b.box.left - from.left))[0]?.card
    }
    default:
      return undefined
  }
}

type Missing = NonNullable<ReturnType<typeof findUnmetRequirement>>

const formatMissingNeed = ({ need, count }: Missing, t: Translate): string =>
  ({
    times: t('explore.viz.needs.times', 'Needs {count, plural, one {a time column} other {# time columns}}', { count }),
    columns: t('explore.viz.needs.columns', 'Needs {count, plural, one {a dimension} other {# dimensions}}', { count }),
    numbers: t('explore.viz.needs.numbers', 'Needs {count, plural, one {a numeric column} other {# numeric columns}}', {
      count,
    }),
    metrics: t('explore.viz.needs.metrics', 'Needs {count, plural, one {a metric} other {# metrics}}', { count }),
  })[need]
