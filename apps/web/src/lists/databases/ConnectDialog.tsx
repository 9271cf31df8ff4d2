import { Button, ButtonLink, Dialog, ErrorPanel, Skeleton, TextInput, fuzzy, Icon, useText } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { hasSqlLab } from '../../shared/rights.ts'
import { ConnectionForm } from './ConnectionForm.tsx'
import { readUri, type ConnectionDraft, type Engine } from './connection.ts'
import styles from './connect.module.css'

export const useEngines = () =>
  useQuery({
    queryKey: ['database', 'available'],
    queryFn: async ({ signal }) =>
      (await api.get<{ databases: Engine[] }>('/api/v1/database/available/', { signal })).databases,
    staleTime: Infinity,
  })

const emptyDraft = (engine: Engine): ConnectionDraft => ({
  name: engine.name,
  by: engine.parameters ? 'fields' : 'uri',
  parameters: engine.engine === 'postgresql' ? { port: 5432 } : {},
  uri: '',
})

/** Engine, then its fields or a connection text, then what to do with it. */
export function ConnectDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const engines = useEngines()
  const [engine, setEngine] = useState<Engine | null>(null)
  const [draft, setDraft] = useState<ConnectionDraft | null>(null)
  const [connected, setConnected] = useState<{ id: number; name: string } | null>(null)
  const title = t('lists.connect.title', 'Connect a database')

  const choose = (chosen: Engine, start = emptyDraft(chosen)): void => {
    setEngine(chosen)
    setDraft(start)
  }
  const paste = (uri: string): void => {
    const read = readUri(uri)
    const fitting = read && engines.data?.find((one) => one.engine === read.engine)
    if (!read || !fitting) return
    const { database } = read.parameters
    choose(fitting, {
      ...emptyDraft(fitting),
      parameters: read.parameters,
      uri,
      ...(typeof database === 'string' && { name: database }),
    })
  }

  if (connected) {
    return (
      <Dialog
        open
        title={t('lists.connect.done', '{name} is connected', connected)}
        onClose={onClose}
        footer={
          <>
            <Button onClick={onClose}>{t('lists.close', 'Close')}</Button>
            {hasSqlLab && (
              <ButtonLink href={`/superset/sqllab/?dbid=${connected.id}`}>
                {t('lists.connect.browse', 'Browse in SQL Lab')}
              </ButtonLink>
            )}
            <ButtonLink variant="primary" href="/dataset/add/">
              {t('lists.connect.chart', 'Make a chart from a table')}
            </ButtonLink>
          </>
        }
      />
    )
  }
  if (engine && draft) {
    return (
      <ConnectionForm
        engine={engine}
        start={draft}
        onBack={() => setEngine(null)}
        onClose={onClose}
        onSaved={(id, name) => setConnected({ id, name })}
      />
    )
  }
  return (
    <Dialog open title={title} width={720} onClose={onClose}>
      {engines.error ? (
        <ErrorPanel inline onRetry={() => void engines.refetch()}>
          {messageOf(engines.error)}
        </ErrorPanel>
      ) : engines.data ? (
        <EngineList engines={engines.data} onChoose={choose} onPaste={paste} />
      ) : (
        <Skeleton height={120} />
      )}
    </Dialog>
  )
}

interface EngineListProps {
  engines: readonly Engine[]
  onChoose(engine: Engine): void
  onPaste(uri: string): void
}

function EngineList({ engines, onChoose, onPaste }: EngineListProps) {
  const t = useText()
  const [text, setText] = useState('')
  const shown = engines.filter(({ name, engine }) => fuzzy(text, `${name} ${engine}`) > 0)
  return (
    <>
      <TextInput
        icon="search"
        aria-label={t('lists.connect.search', 'Search engines, or paste a connection string')}
        placeholder={t('lists.connect.search', 'Search engines, or paste a connection string')}
        value={text}
        onChange={(value) => {
          setText(value)
          onPaste(value)
        }}
        data-autofocus
      />
      <ul className={styles.engines}>
        {shown.map((engine) => (
          <li key={engine.engine}>
            <button type="button" className={styles.engine} onClick={() => onChoose(engine)}>
              <Icon name="database" size={20} />
              {engine.name}
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p>{t('lists.connect.noEngine', 'No engine of this name is built in.')}</p>}
    </>
  )
}
