import { ApiError } from '@parquetry/client'
import { findContrastFaults, readTheme, type ThemeDocument } from '@parquetry/charts'
import {
  Button,
  confirm,
  Dialog,
  ErrorPanel,
  Field,
  Link,
  Skeleton,
  TextArea,
  TextInput,
  toast,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import listStyles from '../lists.module.css'
import { contrastText, removedText, themeErrorText } from './theme-texts.ts'
import { ThemePreview } from './ThemePreview.tsx'
import styles from './themes.module.css'

export interface ThemeDialogProps {
  /** Id of the theme to edit; null creates one. */
  id: number | null
  mayWrite: boolean
  onClose(): void
}

interface Theme {
  id: number
  name: string
  json: string
  isConfigured: boolean
  isSystem: boolean
  dashboards: { id: number; dashboard_title: string }[]
}

const example = JSON.stringify({ token: { colorPrimary: '#1f6f54', borderRadius: 6 }, algorithm: 'default' }, null, 2)

/** Name and tokens of a theme, with its contrast and a preview. */
export function ThemeDialog({ id, mayWrite, onClose }: ThemeDialogProps) {
  const t = useTranslate()
  const theme = useQuery({
    queryKey: ['theme', 'item', id],
    queryFn: async ({ signal }): Promise<Theme> => {
      const columns = [
        'theme_name',
        'json_data',
        'is_system',
        'is_system_default',
        'is_system_dark',
        'dashboards',
      ] as const
      const { result } = await api.get('/api/v1/theme/:id', {
        params: { id: String(id) },
        q: { columns: [...columns] },
        signal,
      })
      return {
        id: id ?? -1,
        name: result.theme_name,
        json: JSON.stringify(JSON.parse(result.json_data), null, 2),
        isConfigured: result.is_system,
        isSystem: result.is_system_default || result.is_system_dark,
        dashboards: result.dashboards,
      }
    },
    enabled: id !== null,
  })
  if (id === null) return <Form theme={null} mayWrite={mayWrite} onClose={onClose} />
  if (theme.data) return <Form theme={theme.data} mayWrite={mayWrite && !theme.data.isConfigured} onClose={onClose} />
  return (
    <Dialog open width={960} title={t('lists.themes.edit', 'Edit theme')} onClose={onClose}>
      {theme.error ? (
        <ErrorPanel inline onRetry={() => void theme.refetch()}>
          {messageOf(theme.error)}
        </ErrorPanel>
      ) : (
        <div className={listStyles.form} aria-busy="true">
          <Skeleton height={28} />
          <Skeleton height={240} />
        </div>
      )}
    </Dialog>
  )
}

interface FormProps {
  theme: Theme | null
  mayWrite: boolean
  onClose(): void
}

function Form({ theme, mayWrite, onClose }: FormProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [name, setName] = useState(theme?.name ?? '')
  const [json, setJson] = useState(theme?.json ?? example)
  // The last text that is a theme: the preview stays while the text is edited.
  const [valid, setValid] = useState(json)
  const changeJson = (text: string): void => {
    setJson(text)
    if (!readTheme(text).error) setValid(text)
  }
  const shown = useMemo((): ThemeDocument => {
    const last = readTheme(valid)
    return last.error ? {} : last.theme
  }, [valid])
  const dirty = name !== (theme?.name ?? '') || json !== (theme?.json ?? example)
  const nameMissing = name.trim() === '' ? t('lists.nameMissing', 'Enter a name') : undefined
  const jsonError = themeErrorText(json, t)
  const blocked = nameMissing ?? jsonError
  const read = readTheme(json)
  const removed = read.error ? [] : read.removed
  const faults = findContrastFaults(shown)
  const save = useMutation({
    mutationFn: async (): Promise<void> => {
      const body = { theme_name: name.trim(), json_data: json }
      if (theme) await api.put('/api/v1/theme/:id', { params: { id: theme.id }, body })
      else await api.post('/api/v1/theme/', { body })
    },
    onSuccess: async () => {
      // The boot data of the page contains the system themes.
      if (theme?.isSystem) {
        const list = new URL(location.href)
        list.searchParams.delete('edit')
        return location.replace(list)
      }
      toast(t('lists.saved', 'Saved: {name}', { name: name.trim() }))
      onClose()
      await queries.invalidateQueries({ queryKey: ['theme'] })
    },
  })
  const submit = async (): Promise<void> => {
    if (blocked !== undefined || save.isPending) return
    if (theme !== null && !dirty) return onClose()
    const isConfirmed =
      faults.length === 0 ||
      theme?.isSystem ||
      (await confirm({
        title: t('lists.themes.confirm', 'Save a theme with too little contrast?'),
        body: (
          <>
            <p>{t('lists.themes.confirmText', 'Some people cannot read text or see controls in these colors:')}</p>
            <ul className={styles.faults}>
              {faults.map((fault) => (
                <li key={`${fault.foreground} ${fault.background}`}>{contrastText(fault, t)}</li>
              ))}
            </ul>
          </>
        ),
        action: t('lists.themes.saveAnyway', 'Save anyway'),
      }))
    if (isConfirmed) save.mutate()
  }
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const other = save.error && !fields['theme_name'] && !fields['json_data'] ? messageOf(save.error) : undefined
  return (
    <Dialog
      open
      title={
        theme === null
          ? t('lists.themes.new', 'New theme')
          : mayWrite
            ? t('lists.themes.edit', 'Edit theme')
            : theme.name
      }
      width={960}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        mayWrite ? (
          <>
            <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
            <Button type="submit" variant="primary" busy={save.isPending} disabledReason={blocked}>
              {theme ? t('lists.save', 'Save') : t('lists.make', 'Create')}
            </Button>
          </>
        ) : undefined
      }
    >
      <div className={listStyles.form}>
        {other && <ErrorPanel inline>{other}</ErrorPanel>}
        {theme?.isConfigured && (
          <p>
            {t(
              'lists.themes.readOnly',
              'The configuration of the server defines this theme. It cannot be changed here.',
            )}
          </p>
        )}
        <Field
          label={t('lists.column.name', 'Name')}
          required
          error={(theme ? nameMissing : undefined) ?? fields['theme_name']?.[0]}
        >
          <TextInput value={name} onChange={setName} maxLength={250} readOnly={!mayWrite} data-autofocus />
        </Field>
        <Field
          label={t('lists.themes.json', 'Tokens (JSON)')}
          help={t(
            'lists.themes.jsonHelp',
            'The tokens of Superset and Ant Design. Backgrounds and text colors apply in light mode, or in dark mode if the algorithm is dark. Brand colors apply in both.',
          )}
          error={jsonError ?? fields['json_data']?.[0]}
        >
          <TextArea value={json} onChange={changeJson} rows={8} mono spellCheck={false} readOnly={!mayWrite} />
        </Field>
        <div role="status">
          {removed.length > 0 && (
            <ul className={styles.faults}>
              {removed.slice(0, 20).map((part) => (
                <li key={part.path}>{removedText(part, t)}</li>
              ))}
            </ul>
          )}
        </div>
        <section aria-label={t('lists.themes.contrast', 'Contrast')}>
          <h3>{t('lists.themes.contrast', 'Contrast')}</h3>
          {faults.length === 0 ? (
            <p className={styles.quiet}>
              {t('lists.themes.enough', 'All pairs of colors have enough contrast (WCAG 2.2 AA).')}
            </p>
          ) : (
            <ul className={styles.faults}>
              {faults.map((fault) => (
                <li key={`${fault.foreground} ${fault.background}`}>
                  <span aria-hidden className={styles.sample} style={sampleStyle(fault.colors)}>
                    Aa
                  </span>{' '}
                  {contrastText(fault, t)}
                </li>
              ))}
            </ul>
          )}
        </section>
        {theme && theme.dashboards.length > 0 && (
          <p>
            {t('lists.themes.usedBy', 'Used by')}{' '}
            {theme.dashboards.map(({ id, dashboard_title }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <Link href={`/superset/dashboard/${id}/`} target="_blank">
                  {dashboard_title || t('lists.untitledDashboard', 'Untitled dashboard')}
                </Link>
              </span>
            ))}
          </p>
        )}
        <ThemePreview theme={shown} />
      </div>
    </Dialog>
  )
}

const sampleStyle = ([color, background]: [string, string]) => ({ color, background })
