import { Banner, Button, EmptyState, IconButton, Select, TextInput, useTranslate, type Translate } from '@parquetry/ui'
import { useId, useState } from 'react'
import { formatGrant, grantNames } from './grants.ts'
import type { PermissionPair } from './permission-texts.ts'
import styles from './roles.module.css'
import { loadGrants } from './use-role.ts'

type GrantName = (typeof grantNames)[number]

interface DataAccessProps {
  /** Permissions that the role has on databases, schemas and datasets. */
  grants: readonly PermissionPair[]
  /** The role reads all data anyway. */
  readsAll: boolean
  onChange(pairs: readonly PermissionPair[], held: boolean): void
}

const kinds = (t: Translate): { name: GrantName; label: string; help: string; add: string }[] => [
  {
    name: 'database_access',
    label: t('roles.data.databases', 'Databases'),
    help: t('roles.data.databasesHelp', 'All tables and datasets of the database, also in SQL Lab.'),
    add: t('roles.data.addDatabase', 'Add a database'),
  },
  {
    name: 'schema_access',
    label: t('roles.data.schemas', 'Schemas'),
    help: t(
      'roles.data.schemasHelp',
      'All tables and datasets of the schema, also in SQL Lab. “Update permissions” in the list of databases adds schemas that are missing here.',
    ),
    add: t('roles.data.addSchema', 'Add a schema'),
  },
  {
    name: 'datasource_access',
    label: t('roles.data.datasets', 'Datasets'),
    help: t('roles.data.datasetsHelp', 'The dataset, and charts and dashboards that use it.'),
    add: t('roles.data.addDataset', 'Add a dataset'),
  },
]

/** The databases, schemas and datasets that the holders of a role may read. */
export function DataAccess({ grants, readsAll, onChange }: DataAccessProps) {
  const t = useTranslate()
  return (
    <>
      {readsAll && (
        <Banner inline tone="info">
          {t('roles.data.all', 'This role may read all data. Access that is granted here adds nothing to it.')}
        </Banner>
      )}
      {kinds(t).map((kind) => (
        <GrantList
          key={kind.name}
          {...kind}
          grants={grants.filter(({ name }) => name === kind.name)}
          onChange={onChange}
        />
      ))}
    </>
  )
}

const firstShown = 50

interface GrantListProps {
  name: GrantName
  label: string
  help: string
  add: string
  grants: readonly PermissionPair[]
  onChange(pairs: readonly PermissionPair[], held: boolean): void
}

function GrantList({ name, label, help, add, grants, onChange }: GrantListProps) {
  const t = useTranslate()
  const id = useId()
  const [filter, setFilter] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const [load] = useState(() => loadGrants(name))
  const held = new Set(grants.map((grant) => grant.id))
  const sorted = grants
    .map((grant) => ({ grant, text: formatGrant(grant) }))
    .filter(({ text }) => text.toLowerCase().includes(filter.trim().toLowerCase()))
    .toSorted((a, b) => a.text.localeCompare(b.text))
  const shown = showsAll ? sorted : sorted.slice(0, firstShown)
  return (
    <section className={styles.area} aria-labelledby={id}>
      <header className={styles.areaHeader}>
        <h2 id={id}>{label}</h2>
        <span className={styles.count}>{t('roles.data.count', '{n, number} granted', { n: grants.length })}</span>
        <span className={styles.help}>{help}</span>
      </header>
      <div className={styles.toolbar}>
        <Select<number>
          className={styles.add}
          icon="plus"
          aria-label={add}
          placeholder={add}
          nothing={t('roles.data.nothing', 'Nothing matches')}
          value={null}
          load={async (...request) => {
            const { count, options } = await load(...request)
            const granted = t('roles.data.granted', 'Already granted')
            return {
              count,
              options: options.map((option) => ({
                ...option,
                ...(held.has(option.value) && { disabledReason: granted }),
              })),
            }
          }}
          source={[...held].join(' ')}
          onChange={(_, option) => {
            const { pair } = (option ?? {}) as { pair?: PermissionPair }
            if (pair) onChange([pair], true)
          }}
        />
        {grants.length > 10 && (
          <TextInput
            className={styles.search}
            icon="search"
            type="search"
            clearable
            aria-label={t('roles.data.filter', 'Filter {label}', { label })}
            placeholder={t('roles.data.filterShort', 'Filter')}
            value={filter}
            onChange={setFilter}
          />
        )}
      </div>
      {grants.length > 0 && sorted.length === 0 && (
        <EmptyState inline level={3} title={t('roles.data.nothing', 'Nothing matches')} />
      )}
      {shown.length > 0 && (
        <ul className={styles.pairs}>
          {shown.map(({ grant, text }) => (
            <li key={grant.id} className={styles.pair}>
              <span className={styles.grant}>{text}</span>
              <IconButton
                icon="close"
                label={t('roles.data.remove', 'Remove access to {name}', { name: text })}
                onClick={() => onChange([grant], false)}
              />
            </li>
          ))}
        </ul>
      )}
      {shown.length < sorted.length && (
        <Button variant="quiet" onClick={() => setShowsAll(true)}>
          {t('roles.data.showAll', 'Show all {n, number}', { n: sorted.length })}
        </Button>
      )}
    </section>
  )
}
