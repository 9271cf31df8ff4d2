import type { DynamicPlugin } from '@parquetry/model'
import {
  Button,
  confirm,
  EmptyState,
  ErrorPanel,
  Icon,
  IconButton,
  Menu,
  PageHeader,
  toast,
  toastError,
  useTranslate,
} from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatNumber } from '../../shared/formats.ts'
import { useTitle } from '../../shared/use-title.ts'
import { ListSkeleton } from '../ListSkeleton.tsx'
import lists from '../lists.module.css'
import rows from '../object-rows.module.css'
import { PluginDialog } from './PluginDialog.tsx'
import styles from './plugins.module.css'

/** Chart types that administrators add, one ES module each. */
export function PluginsPage() {
  const t = useTranslate()
  const queries = useQueryClient()
  const [edited, setEdited] = useState<DynamicPlugin | 'new' | null>(null)
  const title = t('plugins.title', 'Plugins')
  useTitle([title])
  const { data, error, refetch } = useQuery({
    queryKey: ['dynamic_plugin'],
    queryFn: ({ signal }) => api.get('/dynamic-plugins/api/read', { signal }),
  })
  const remove = async (plugin: DynamicPlugin): Promise<void> => {
    const { id, name } = plugin
    const isConfirmed = await confirm({
      title: t('plugins.removeTitle', 'Delete the plugin {name}?', { name }),
      body: t(
        'plugins.removeText',
        'Charts of this type keep their settings, but cannot be drawn until the plugin is added again. This cannot be undone.',
      ),
      action: t('plugins.remove', 'Delete'),
      danger: true,
    })
    if (!isConfirmed) return
    try {
      await api.del('/dynamic-plugins/api/delete/:id', { params: { id } })
      toast(t('plugins.removed', 'Plugin {name} deleted', { name }))
    } catch (reason) {
      toastError(messageOf(reason))
    }
    await queries.invalidateQueries({ queryKey: ['dynamic_plugin'] })
  }
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setEdited('new')}>
      {t('plugins.add', 'Plugin')}
    </Button>
  )
  return (
    <div className={lists.page}>
      <PageHeader
        title={title}
        marks={data && <span className={lists.count}>{formatNumber(data.count)}</span>}
        actions={add}
      />
      <div className={lists.content}>
        <p className={lists.note}>
          {t(
            'plugins.note',
            'A plugin is an ES module that draws a chart type of your own. It runs in a sandbox: it receives the rows of its charts, but cannot reach the API, cookies or other servers. Open pages use a new or changed plugin after they are reloaded.',
          )}
        </p>
        {error ? (
          <ErrorPanel onRetry={() => void refetch()}>{messageOf(error)}</ErrorPanel>
        ) : !data ? (
          <ListSkeleton cards={false} columns={2} />
        ) : data.result.length === 0 ? (
          <EmptyState title={t('plugins.none', 'No plugins yet')} actions={add}>
            {t('plugins.noneText', 'Add a module to offer its chart type in Explore.')}
          </EmptyState>
        ) : (
          <ul className={rows.list} aria-label={title}>
            {data.result.map((plugin) => (
              <PluginRow
                key={plugin.id}
                plugin={plugin}
                onEdit={() => setEdited(plugin)}
                onRemove={() => void remove(plugin)}
              />
            ))}
          </ul>
        )}
      </div>
      {edited !== null && <PluginDialog plugin={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </div>
  )
}

interface PluginRowProps {
  plugin: DynamicPlugin
  onEdit(): void
  onRemove(): void
}

function PluginRow({ plugin: { name, key, form }, onEdit, onRemove }: PluginRowProps) {
  const t = useTranslate()
  return (
    <li className={rows.row}>
      <Icon name="chart" />
      <span className={`${rows.name} ${styles.name}`}>
        <button type="button" className={styles.open} onClick={onEdit}>
          {name}
        </button>
        <span className={rows.facts}>
          <code>{key}</code>{' '}
          {t('plugins.settings', '{n, plural, one {# setting} other {# settings}}', { n: form.length })}
        </span>
      </span>
      <Menu
        label={t('plugins.menu', 'Actions for {name}', { name })}
        items={[
          { label: t('plugins.edit', 'Edit'), icon: 'edit', onSelect: onEdit },
          { label: t('plugins.remove', 'Delete'), icon: 'trash', danger: true, onSelect: onRemove },
        ]}
      >
        <IconButton icon="more" label={t('plugins.menu', 'Actions for {name}', { name })} />
      </Menu>
    </li>
  )
}
