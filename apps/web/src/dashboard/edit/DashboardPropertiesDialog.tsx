import { ApiError } from '@parquetry/client'
import { isDeepEqual, type DashboardPut, type SubjectSummary, type TagSummary } from '@parquetry/model'
import { isIdLikeSlug, toDashboardSlug } from '@parquetry/model/dashboard-slug'
import {
  Button,
  Dialog,
  ErrorPanel,
  Field,
  Link,
  MultiSelect,
  Select,
  Switch,
  TextArea,
  TextInput,
  toast,
  useNavigation,
  useTranslate,
  type LoadOptions,
  type Translate,
} from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../shared/api.ts'
import { cssErrorText } from '../../shared/css-error-text.ts'
import { jsonErrorText } from '../../shared/json-error.ts'
import { iconOfSubject } from '../../shared/related-options.ts'
import { can } from '../../shared/rights.ts'
import { canEditTags } from '../../shared/tags/has-tags.ts'
import { customTagNames, ensureTags } from '../../shared/tags/save-tags.ts'
import { TagsField } from '../../shared/tags/TagsField.tsx'
import { useColorSchemes } from '../../shared/use-color-schemes.ts'
import { loadDashboard, saveDashboard } from '../data/calls.ts'
import { readMetadata, titleOf, type DashboardRecord } from '../document/read-dashboard.ts'
import { certification, untitled } from '../document/save-body.ts'
import { setTitle } from '../layout/commands.ts'
import { isChanged } from '../layout/history.ts'
import { useActions, useDashboard } from '../state/context.ts'
import { hasDashboardRoles, saveErrorText } from './use-dashboard-save.ts'
import styles from './Edit.module.css'

interface Values {
  title: string
  slug: string
  editors: string[]
  roles: string[]
  tags: string[]
  published: boolean
  certifiedBy: string
  certificationDetails: string
  css: string
  /** Id of the theme; null for that of the page. */
  theme: string | null
  metadata: string
}

/**
 * DASH-033 to DASH-040, PERM-017, PERM-018. Changes are saved immediately; while the dashboard is edited, they become an undo
 * step.
 */
export function DashboardPropertiesDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { store } = useDashboard()
  const { go } = useNavigation()
  const actions = useActions()
  const schemes = useColorSchemes()
  const [{ dashboard, history, isEditing }] = useState(() => store.getState())
  const { result } = dashboard
  const first: Values = {
    title: titleOf(dashboard, history.present),
    slug: result.slug ?? '',
    editors: (result.editors ?? []).map(({ id }) => String(id)),
    roles: (result.roles ?? []).map(({ id }) => String(id)),
    tags: customTagNames(result.tags),
    published: result.published ?? false,
    certifiedBy: result.certified_by ?? '',
    certificationDetails: result.certification_details ?? '',
    css: result.css ?? '',
    theme: result.theme ? String(result.theme.id) : null,
    metadata: JSON.stringify(dashboard.metadata, null, 2),
  }
  const [values, setValues] = useState(first)
  const set =
    <K extends keyof Values>(name: K) =>
    (value: Values[K]) =>
      setValues({ ...values, [name]: value })
  const setCss = (css: string) => {
    set('css')(css)
    actions.previewCss(css)
  }
  useEffect(() => () => actions.previewCss(null), [actions])
  const isDirty = JSON.stringify(values) !== JSON.stringify(first)
  const slug = toDashboardSlug(values.slug)
  const slugFault =
    slug !== null && slug !== result.slug && isIdLikeSlug(slug)
      ? t('dashboard.slugDigits', 'Add a letter: digits alone are read as an ID.')
      : undefined
  const cssFault = cssErrorText(t, values.css)
  const metadataFault = findMetadataFault(t, values.metadata)
  const metadata = metadataFault === null ? readMetadata(values.metadata) : {}
  const setScheme = (color_scheme: string | null) =>
    set('metadata')(JSON.stringify({ ...metadata, color_scheme: color_scheme ?? '' }, null, 2))
  const hasRoles = hasDashboardRoles()

  const change = (tags: TagSummary[] | undefined) => {
    actions.change(({ nodes, settings }) => ({
      nodes: values.title === first.title ? nodes : setTitle(nodes, values.title.trim() || untitled),
      settings: {
        fields: {
          ...settings.fields,
          slug,
          css: values.css,
          theme: findTheme(values.theme, result.theme),
          published: values.published,
          ...certification(values.certifiedBy, values.certificationDetails),
          editors: values.editors.map((id) => findEditor(id, result.editors)),
          roles: values.roles.map((id) => findRole(id, result.roles)),
          ...(tags && { tags }),
        },
        metadata: values.metadata === first.metadata ? settings.metadata : metadata,
      },
    }))
    onClose()
  }
  const save = useMutation({
    mutationFn: async () => {
      const tags = isDeepEqual(values.tags, first.tags) ? undefined : await ensureTags(values.tags)
      if (isEditing) {
        change(tags)
        return null
      }
      await saveDashboard(result.id, {
        ...buildChanges(first, values, hasRoles, result.changed_on),
        ...(tags && { tags: tags.map(({ id }) => id) }),
      })
      return (await loadDashboard(String(result.id))).dashboard
    },
    onSuccess: (saved) => {
      if (saved === null) return
      const { history: now } = store.getState()
      if (isChanged(now)) {
        actions.updateDocument(() => saved)
        // The title of the edited layout follows without an undo step.
        actions.preview(setTitle(now.present, saved.result.dashboard_title ?? ''))
      } else actions.load(saved)
      toast(t('dashboard.propertiesSaved', 'Properties saved'))
      onClose()
      // The address with the old slug no longer leads here.
      const address = `/superset/dashboard/${encodeURIComponent(saved.result.slug || String(saved.result.id))}/`
      if (saved.result.slug !== result.slug) go(address.concat(location.search, location.hash), { replace: true })
    },
  })
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const errorOf = (name: string) => fields[name]?.[0]
  const other = save.error && Object.keys(fields).length === 0 ? saveErrorText(t, save.error) : null
  return (
    <Dialog
      open
      width={720}
      title={t('dashboard.properties', 'Dashboard properties')}
      dirty={isDirty}
      onClose={onClose}
      onSubmit={() => metadataFault === null && slugFault === undefined && (isDirty ? save.mutate() : onClose())}
      footer={
        <>
          {/* The fields are higher than the window, so their errors may be out of view. */}
          {(metadataFault !== null || cssFault !== undefined) && (
            <span className={styles.fault} aria-hidden>
              {metadataFault !== null
                ? `${t('dashboard.metadata', 'JSON metadata')}: ${metadataFault}`
                : `${t('dashboard.css', 'CSS')}: ${cssFault ?? ''}`}
            </span>
          )}
          <Button onClick={onClose}>{t('dashboard.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={metadataFault ?? slugFault}>
            {isEditing ? t('dashboard.apply', 'Apply') : t('dashboard.save', 'Save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {other && <ErrorPanel inline>{other}</ErrorPanel>}
        <Field label={t('dashboard.title', 'Title')} error={errorOf('dashboard_title')}>
          <TextInput
            value={values.title}
            onChange={set('title')}
            maxLength={500}
            placeholder={untitled}
            data-autofocus
          />
        </Field>
        <Field
          label={t('dashboard.slug', 'URL slug')}
          help={
            slug === null
              ? t('dashboard.slugHelp', 'Used in the URL instead of the ID.')
              : t('dashboard.slugAddress', 'The address will be {address}', {
                  address: `${location.origin}/superset/dashboard/${slug}/`,
                })
          }
          error={errorOf('slug') ?? slugFault}
        >
          <TextInput
            value={values.slug}
            onChange={set('slug')}
            onBlur={() => set('slug')(slug ?? '')}
            maxLength={255}
          />
        </Field>
        <Field label={t('dashboard.owners', 'Owners')} error={errorOf('editors')}>
          <MultiSelect
            value={values.editors}
            onChange={set('editors')}
            load={loadRelated('editors')}
            labelOf={(value) => result.editors?.find(({ id }) => String(id) === value)?.label}
          />
        </Field>
        {hasRoles && (
          <Field label={t('dashboard.roles', 'Roles')} error={errorOf('roles')}>
            <MultiSelect
              value={values.roles}
              onChange={set('roles')}
              load={loadRelated('roles')}
              labelOf={(value) => result.roles?.find(({ id }) => String(id) === value)?.name}
            />
          </Field>
        )}
        {canEditTags && (
          <TagsField value={values.tags} onChange={set('tags')} error={errorOf('tags') ?? errorOf('name')} />
        )}
        <Switch
          checked={values.published}
          onChange={set('published')}
          label={t('dashboard.published', 'Published')}
          help={t('dashboard.publishedHelp', 'Listed for all users with access to its data.')}
        />
        <Field label={t('dashboard.certifiedBy', 'Certified by')} error={errorOf('certified_by')}>
          <TextInput value={values.certifiedBy} onChange={set('certifiedBy')} />
        </Field>
        <Field
          label={t('dashboard.certificationDetails', 'Certification details')}
          error={errorOf('certification_details')}
        >
          <TextInput value={values.certificationDetails} onChange={set('certificationDetails')} />
        </Field>
        <Field
          label={t('dashboard.colorScheme', 'Color scheme')}
          help={t(
            'dashboard.colorSchemeHelp',
            'Applies to all charts on this dashboard. Leave empty to let each chart use its own.',
          )}
        >
          <Select
            clearable
            disabledReason={metadataFault ?? undefined}
            value={typeof metadata.color_scheme === 'string' && metadata.color_scheme ? metadata.color_scheme : null}
            onChange={setScheme}
            options={schemes.map(({ id, label, colors }) => ({ value: id, label, colors: colors.slice(0, 8) }))}
            placeholder={t('dashboard.schemeOfCharts', 'Chart default')}
          />
        </Field>
        {can('can_read', 'Theme') && (
          <Field
            label={t('dashboard.theme', 'Theme')}
            help={
              can('can_write', 'Theme') ? (
                <Link href="/theme/list/" target="_blank">
                  {t('dashboard.manageThemes', 'Manage themes')}
                </Link>
              ) : undefined
            }
            error={errorOf('theme_id')}
          >
            <Select
              clearable
              value={values.theme}
              onChange={set('theme')}
              load={loadThemes}
              selectedLabel={findTheme(values.theme, result.theme)?.theme_name}
              placeholder={t('dashboard.themeOfPages', 'Theme of all pages')}
              nothing={t('dashboard.noThemes', 'No themes yet')}
            />
          </Field>
        )}
        <details>
          <summary>{t('dashboard.advanced', 'Advanced')}</summary>
          <div className={styles.form} style={{ paddingBlockStart: 'var(--space-4)' }}>
            <Field
              label={t('dashboard.template', 'Template')}
              help={
                can('can_write', 'CssTemplate') && (
                  <Link href="/csstemplatemodelview/list/" target="_blank">
                    {t('dashboard.manageTemplates', 'Manage CSS templates')}
                  </Link>
                )
              }
            >
              <Select
                value={null}
                onChange={(id) => setCss(templates.get(String(id ?? '')) ?? values.css)}
                load={loadTemplates}
                placeholder={t('dashboard.takeTemplate', 'Choose a template')}
              />
            </Field>
            <Field
              label={t('dashboard.css', 'CSS')}
              help={t('dashboard.cssHelp', 'Applies inside this dashboard’s grid. Changes are previewed as you type.')}
              error={cssFault}
            >
              <TextArea className={styles.code} value={values.css} onChange={setCss} rows={8} spellCheck={false} />
            </Field>
            <Field label={t('dashboard.metadata', 'JSON metadata')} error={metadataFault ?? errorOf('json_metadata')}>
              <TextArea
                className={styles.code}
                value={values.metadata}
                onChange={set('metadata')}
                rows={12}
                spellCheck={false}
              />
            </Field>
          </div>
        </details>
      </div>
    </Dialog>
  )
}

/** Error message if the text is not a JSON object, otherwise null. */
function findMetadataFault(t: Translate, text: string): string | null {
  const fault = jsonErrorText(text, t)
  if (fault !== undefined) return fault
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? null
    : t('dashboard.objectExpected', 'Enter a JSON object')
}

/** Returns only the changed fields, so that users who change different fields do not conflict. */
function buildChanges(
  first: Values,
  values: Values,
  hasRoles: boolean,
  changed_on: string | null | undefined,
): DashboardPut {
  const isNew = (...names: (keyof Values)[]) =>
    names.some((name) => JSON.stringify(values[name]) !== JSON.stringify(first[name]))
  return {
    ...(isNew('title') && { dashboard_title: values.title.trim() || untitled }),
    ...(isNew('slug') && { slug: toDashboardSlug(values.slug) }),
    ...(isNew('editors') && { editors: values.editors.map(Number) }),
    ...(hasRoles && isNew('roles') && { roles: values.roles.map(Number) }),
    ...(isNew('published') && { published: values.published }),
    ...(isNew('certifiedBy', 'certificationDetails') && certification(values.certifiedBy, values.certificationDetails)),
    ...(isNew('css') && { css: values.css }),
    ...(isNew('theme') && { theme_id: values.theme === null ? null : Number(values.theme) }),
    ...(isNew('metadata') && { json_metadata: JSON.stringify(readMetadata(values.metadata)) }),
    ...(changed_on && { changed_on }),
  }
}

/** Names of the loaded options, for owners and roles that are not saved yet. */
const known = new Map<string, string>()

const templates = new Map<string, string>()

const loadTemplates: LoadOptions<string> = async (filter, page, signal) => {
  const filters = filter ? [{ col: 'template_name', opr: 'ct', value: filter }] : []
  const columns = ['id', 'template_name', 'css']
  const q = { columns, filters, page, page_size: 100 }
  const { count, result } = await api.get('/api/v1/css_template/', { q, signal })
  const rows = result as { id: number; template_name: string | null; css: string | null }[]
  for (const { id, css } of rows) templates.set(String(id), css ?? '')
  return { count, options: rows.map(({ id, template_name }) => ({ value: String(id), label: template_name ?? '' })) }
}

type Theme = NonNullable<DashboardRecord['theme']>
const themes = new Map<string, Theme>()

/** Loads the themes that a dashboard can have. System themes are left out, because all pages have them. */
const loadThemes: LoadOptions<string> = async (filter, page, signal) => {
  const filters = [
    { col: 'is_system', opr: 'eq', value: false },
    ...(filter ? [{ col: 'theme_name', opr: 'ct', value: filter }] : []),
  ]
  const q = { columns: ['id', 'theme_name', 'json_data'] as const, filters, page, page_size: 100 }
  const { count, result } = await api.get('/api/v1/theme/', { q, signal })
  for (const theme of result) themes.set(String(theme.id), theme)
  return { count, options: result.map(({ id, theme_name }) => ({ value: String(id), label: theme_name })) }
}

const findTheme = (id: string | null, saved: DashboardRecord['theme']): Theme | null =>
  id === null ? null : saved && String(saved.id) === id ? saved : (themes.get(id) ?? null)

const findEditor = (id: string, editors: readonly SubjectSummary[] | undefined): SubjectSummary =>
  editors?.find((editor) => String(editor.id) === id) ?? {
    id: Number(id),
    label: known.get(`editors ${id}`) ?? '',
    type: Number(id) % 4,
  }

const findRole = (id: string, roles: readonly { id: number; name: string }[] | undefined) =>
  roles?.find((role) => String(role.id) === id) ?? { id: Number(id), name: known.get(`roles ${id}`) ?? '' }

const loadRelated =
  (column: 'editors' | 'roles'): LoadOptions<string> =>
  async (filter, page, signal) => {
    const q = { filter, page, page_size: 100 }
    const { count, result } = await api.get('/api/v1/dashboard/related/:column', { params: { column }, q, signal })
    for (const { value, text } of result) known.set(`${column} ${value}`, text)
    return {
      count,
      options: result.map(({ value, text }) => ({
        value: String(value),
        label: text,
        ...(column === 'editors' && { icon: iconOfSubject(Number(value)) }),
      })),
    }
  }
