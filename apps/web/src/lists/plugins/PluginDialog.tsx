import { ApiError } from '@parquetry/client'
import { describePlugin } from '@parquetry/charts/views'
import type { DynamicPlugin, PluginForm } from '@parquetry/model'
import { Button, Dialog, ErrorPanel, Field, TextInput, toast, useTranslate, type Translate } from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { FileChooser } from '../../shared/FileChooser.tsx'
import lists from '../lists.module.css'
import rows from '../object-rows.module.css'
import { downloadExample } from './example-plugin.ts'

export interface PluginDialogProps {
  /** The plugin to change; null adds one. */
  plugin: DynamicPlugin | null
  onClose(): void
}

/** A module that has been read, with its chart type and settings. */
interface ReadModule {
  source: string
  key: string
  form: PluginForm
}

/** A mistake in a module that runs. */
class ModuleError extends Error {}

/** Name and module of a plugin. The module is run in a sandbox first, so that its mistakes are shown before anything is stored. */
export function PluginDialog({ plugin, onClose }: PluginDialogProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [name, setName] = useState(plugin?.name ?? '')
  const [module, setModule] = useState<ReadModule | null>(null)
  const [file, setFile] = useState<string | null>(null)
  const read = useMutation({
    mutationFn: async (chosen: File): Promise<ReadModule> => {
      const source = await chosen.text()
      const { viz_type, name: ownName, form } = await describePlugin(source)
      if (typeof viz_type !== 'string' || viz_type === '')
        throw new ModuleError(
          t('plugins.noType', 'The module exports no viz_type. Add one, such as {example}.', {
            example: "export const viz_type = 'bar_list'",
          }),
        )
      if (plugin && viz_type !== plugin.key)
        throw new ModuleError(
          t(
            'plugins.otherType',
            'This module has the viz_type {type} instead of {key}. Choose another file, or add it as a new plugin.',
            { type: viz_type, key: plugin.key },
          ),
        )
      if (name === '' && typeof ownName === 'string') setName(ownName)
      return { source, key: viz_type, form: (Array.isArray(form) ? form : []) as PluginForm }
    },
    onMutate: (chosen) => {
      setModule(null)
      setFile(chosen.name)
    },
    onSuccess: setModule,
  })
  const save = useMutation({
    mutationFn: async (): Promise<void> => {
      const given = { name: name.trim(), ...(module && { module: module.source, form: module.form }) }
      if (plugin) await api.put('/dynamic-plugins/api/update/:id', { params: { id: plugin.id }, body: given })
      else if (module)
        await api.post('/dynamic-plugins/api/create', {
          body: { name: given.name, key: module.key, form: module.form, module: module.source },
        })
    },
    onSuccess: async () => {
      toast(t('plugins.saved', 'Plugin {name} saved. Reload open pages to use it.', { name: name.trim() }), {
        action: { label: t('plugins.reload', 'Reload'), run: () => location.reload() },
      })
      onClose()
      await queries.invalidateQueries({ queryKey: ['dynamic_plugin'] })
    },
  })
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const others = Object.entries(fields).flatMap(([field, texts]) =>
    field === 'name' ? [] : `${field === 'key' ? 'viz_type' : field}: ${texts.join(' ')}`,
  )
  const failure = save.error && (others.length > 0 ? others.join(' ') : fields['name'] ? null : messageOf(save.error))
  const blocked =
    name.trim() === ''
      ? t('lists.nameMissing', 'Enter a name')
      : read.isPending
        ? t('plugins.reading', 'Wait until the module has been checked')
        : read.error
          ? t('plugins.moduleFailed', 'Choose another module')
          : !plugin && !module
            ? t('plugins.moduleMissing', 'Choose a module')
            : undefined
  return (
    <Dialog
      open
      title={plugin ? t('plugins.editTitle', 'Edit plugin') : t('plugins.newTitle', 'New plugin')}
      dirty={module !== null || name !== (plugin?.name ?? '')}
      onClose={onClose}
      onSubmit={() => blocked === undefined && !save.isPending && save.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={blocked}>
            {plugin ? t('lists.save', 'Save') : t('lists.make', 'Create')}
          </Button>
        </>
      }
    >
      <div className={lists.form}>
        {failure && <ErrorPanel inline>{failure}</ErrorPanel>}
        <Field
          label={t('plugins.module', 'Module')}
          required={!plugin}
          help={t(
            'plugins.moduleHelp',
            'A JavaScript file without imports, at most 5 MB, that exports viz_type, name, form and mount.',
          )}
          error={read.error ? moduleErrorText(read.error, t) : undefined}
        >
          <FileChooser
            label={t('plugins.module', 'Module')}
            accept=".js,.mjs,text/javascript"
            fileName={file}
            busy={read.isPending}
            onChoose={(chosen) => read.mutate(chosen)}
          >
            {!plugin && (
              <Button icon="download" onClick={downloadExample}>
                {t('plugins.example', 'Download example')}
              </Button>
            )}
          </FileChooser>
        </Field>
        {(module ?? plugin) && (
          <p className={rows.facts}>
            {t('plugins.read', 'Chart type {key} with {n, plural, one {# setting} other {# settings}}', {
              key: (module ?? plugin)?.key ?? '',
              n: (module ?? plugin)?.form.length ?? 0,
            })}
          </p>
        )}
        <Field label={t('lists.column.name', 'Name')} required error={fields['name']?.[0]}>
          <TextInput value={name} onChange={setName} maxLength={50} />
        </Field>
      </div>
    </Dialog>
  )
}

function moduleErrorText(error: Error, t: Translate): string {
  if (error instanceof ModuleError) return error.message
  return error.name === 'TimeoutError'
    ? t('plugins.slow', 'The module did not load within 5 seconds. Check it for endless loops.')
    : t('plugins.broken', 'The module could not be run: {message}', { message: messageOf(error) })
}
