import { Dialog, ErrorPanel, Skeleton, useTranslate } from '@parquetry/ui'
import type { DatabaseConnection } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { ConnectionForm } from './ConnectionForm.tsx'
import { toParameters, newTunnel, type Engine, type SshTunnel } from './connection.ts'
import { useEngines } from './engines.ts'
import { readOptions } from './options.ts'
import type { InitialConnection } from './use-connection.ts'

const readTunnel = (stored: Partial<SshTunnel>): SshTunnel => ({
  ...newTunnel(),
  ...stored,
  by: stored.private_key ? 'private_key' : 'password',
})

function toInitialConnection(stored: DatabaseConnection, engine: Engine): InitialConnection {
  return {
    draft: {
      name: stored.database_name,
      by: engine.parquetry && stored.configuration_method === 'dynamic_form' ? 'fields' : 'uri',
      parameters: toParameters(stored.parameters ?? {}),
      uri: stored.sqlalchemy_uri ?? '',
      tunnel: stored.ssh_tunnel ? readTunnel(stored.ssh_tunnel) : null,
      serverCert: stored.server_cert ?? '',
    },
    options: readOptions(stored),
  }
}

/** Form of a stored connection, with masked secrets. */
export function EditConnection({ id, onClose }: { id: number; onClose(): void }) {
  const t = useTranslate()
  const engines = useEngines()
  const stored = useQuery({
    queryKey: ['database', 'connection', id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/database/:id/connection', { params: { id }, signal })).result,
    gcTime: 0,
    // No refetch while editing.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  const opened = useMemo(() => {
    if (!stored.data || !engines.data) return null
    const { backend, engine_information } = stored.data
    const engine = engines.data.find((one) => one.engine === backend) ?? {
      name: engine_information?.unsupported ?? backend,
      ...(engine_information && { engine_information }),
      engine: backend,
      available_drivers: [],
      preferred: false,
    }
    return { engine, start: toInitialConnection(stored.data, engine) }
  }, [stored.data, engines.data])
  if (opened) return <ConnectionForm id={id} {...opened} onClose={onClose} onSaved={onClose} />
  const error = stored.error ?? engines.error
  return (
    <Dialog open title={t('lists.databases.edit', 'Edit connection')} width={720} onClose={onClose}>
      {error ? (
        <ErrorPanel inline onRetry={() => void Promise.all([stored.refetch(), engines.refetch()])}>
          {messageOf(error)}
        </ErrorPanel>
      ) : (
        <Skeleton height={160} />
      )}
    </Dialog>
  )
}
