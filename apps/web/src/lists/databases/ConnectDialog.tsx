import { Dialog, ErrorPanel, Skeleton, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { ConnectedDialog } from './ConnectedDialog.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { createConnectionDraft, type Engine, type ConnectionParameters } from './connection.ts'
import { EnginePicker } from './EnginePicker.tsx'
import { useEngines } from './engines.ts'
import { newOptions } from './options.ts'
import type { InitialConnection } from './use-connection.ts'

/** Steps of connecting a database: engine, fields or connection string, next actions. */
export function ConnectDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const engines = useEngines()
  const [chosen, setChosen] = useState<{ engine: Engine; start: InitialConnection } | null>(null)
  const [connected, setConnected] = useState<{ id: number; name: string } | null>(null)

  const choose = (engine: Engine): void =>
    setChosen({ engine, start: { draft: createConnectionDraft(engine), options: newOptions() } })
  const paste = (engine: Engine, uri: string, parameters: ConnectionParameters): void => {
    const empty = createConnectionDraft(engine)
    const { database } = parameters
    const draft = {
      ...empty,
      uri,
      // A string that cannot be split into fields stays one.
      by: Object.keys(parameters).length === 0 ? ('uri' as const) : empty.by,
      parameters: { ...empty.parameters, ...parameters },
      ...(typeof database === 'string' && { name: database }),
    }
    setChosen({ engine, start: { draft, options: newOptions() } })
  }

  if (connected) return <ConnectedDialog {...connected} onClose={onClose} />
  if (chosen) {
    return (
      <ConnectionForm
        engine={chosen.engine}
        start={chosen.start}
        onBack={() => setChosen(null)}
        onClose={onClose}
        onSaved={(id, name) => setConnected({ id, name })}
      />
    )
  }
  return (
    <Dialog open title={t('lists.connect.title', 'Connect a database')} width={720} onClose={onClose}>
      {engines.error ? (
        <ErrorPanel inline onRetry={() => void engines.refetch()}>
          {messageOf(engines.error)}
        </ErrorPanel>
      ) : engines.data ? (
        <EnginePicker engines={engines.data} onChoose={choose} onPaste={paste} />
      ) : (
        <Skeleton height={120} />
      )}
    </Dialog>
  )
}
