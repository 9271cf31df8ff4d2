import Type, { type Static } from 'typebox'
import { body, id, MessageBody, openObject, optional, text } from './fields.ts'
import { defineRoute } from './route.ts'

/** Query settings that a plugin may use, by their names in form data; they have the controls of the built-in chart types. */
export const pluginQuerySettings = [
  'x_axis',
  'time_grain_sqla',
  'groupby',
  'metric',
  'metrics',
  'columns',
  'adhoc_filters',
  'row_limit',
] as const
export type PluginQuerySetting = (typeof pluginQuerySettings)[number]

/** Names in form data that every chart has, so that no plugin may call its own settings like that. */
export const reservedPluginSettings: readonly string[] = [
  ...pluginQuerySettings,
  'viz_type',
  'datasource',
  'slice_id',
  'dashboardId',
  'dashboards',
  'time_range',
  'since',
  'until',
  'extras',
  'granularity',
  'granularity_sqla',
  'extra_form_data',
  'extra_filters',
  'url_params',
  'annotation_layers',
  'where',
  'having',
  'filters',
  'applied_time_extras',
  'force',
  'result_type',
  'result_format',
]

const settingName = () => Type.String({ pattern: '^[a-z][a-zA-Z0-9_]{0,63}$' })
const value = () =>
  Type.Unsafe<string | number | boolean>({
    anyOf: [{ type: 'string', maxLength: 1000 }, { type: 'number' }, { type: 'boolean' }],
  })

/** A setting that only the plugin reads. */
export const PluginSetting = body({
  name: settingName(),
  label: text(1, 100),
  type: Type.Unsafe<'text' | 'number' | 'checkbox' | 'select'>({
    type: 'string',
    enum: ['text', 'number', 'checkbox', 'select'],
  }),
  description: optional(text(0, 500)),
  /** The initial value, of the setting's type. */
  default: optional(value()),
  /** For `select`: the values. */
  choices: optional(Type.Array(text(1, 100), { minItems: 1, maxItems: 100 })),
})
export type PluginSetting = Static<typeof PluginSetting>

/** The settings of a plugin's charts in the order of their controls. */
export const PluginForm = Type.Array(
  Type.Unsafe<PluginQuerySetting | PluginSetting>({
    anyOf: [{ type: 'string', enum: [...pluginQuerySettings] }, PluginSetting],
  }),
  { maxItems: 60 },
)
export type PluginForm = Static<typeof PluginForm>

/** Bytes of a module as UTF-8. */
export const maxPluginBytes = 5 << 20

const fields = {
  name: text(1, 50),
  /** The `viz_type` of its charts. */
  key: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,49}$' }),
  form: PluginForm,
  /** Source text of one ES module without imports. */
  module: text(1),
}
export const PluginPost = body(fields)
export type PluginPost = Static<typeof PluginPost>
export const PluginPut = body({
  name: optional(fields.name),
  form: optional(PluginForm),
  module: optional(fields.module),
})
export type PluginPut = Static<typeof PluginPut>

/** A plugin in `GET /dynamic-plugins/api/read`, and in the boot data of pages. */
export const DynamicPlugin = openObject({
  id: id(),
  name: text(),
  key: text(),
  /** Contains the SHA-256 of the module, so that it changes with it. */
  bundle_url: text(),
  form: PluginForm,
})
export type DynamicPlugin = Static<typeof DynamicPlugin>

const part = {
  object: 'none: the permission covers every plugin',
  errors: 'plain-422',
} as const
const write = { ...part, can: ['can_write', 'DynamicPlugin'], rate: 'write', csrf: 'token' } as const
const target = { params: Type.Object({ id: Type.Integer() }) }
/** The module as JSON text is longer than its bytes. */
const bodyLimit = 2 * maxPluginBytes

/** `/dynamic-plugins/api/`: chart types that administrators add, with the flag DYNAMIC_PLUGINS. */
export const dynamicPluginRoutes = {
  read: defineRoute({
    ...part,
    method: 'GET',
    path: '/dynamic-plugins/api/read',
    summary: 'Lists the plugins that draw charts',
    body: 'none',
    reply: openObject({
      count: Type.Integer(),
      pks: Type.Array(Type.Integer()),
      result: Type.Array(DynamicPlugin),
      list_columns: Type.Array(Type.String()),
    }),
    can: ['can_read', 'DynamicPlugin'],
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    fails: [],
  }),
  create: defineRoute({
    ...write,
    method: 'POST',
    path: '/dynamic-plugins/api/create',
    summary: 'Adds a plugin',
    body: PluginPost,
    bodyLimit,
    reply: DynamicPlugin,
    audit: 'DynamicPluginsRestApi.post',
    success: [201],
    fails: ['unprocessable', 'conflict'],
  }),
  update: defineRoute({
    ...write,
    ...target,
    method: 'PUT',
    path: '/dynamic-plugins/api/update/:id',
    summary: 'Replaces the name, settings or module of a plugin',
    body: PluginPut,
    bodyLimit,
    reply: DynamicPlugin,
    audit: 'DynamicPluginsRestApi.put',
    fails: ['not_found', 'unprocessable'],
  }),
  remove: defineRoute({
    ...write,
    ...target,
    method: 'DELETE',
    path: '/dynamic-plugins/api/delete/:id',
    summary: 'Deletes a plugin; its charts keep their settings',
    body: 'none',
    reply: MessageBody,
    audit: 'DynamicPluginsRestApi.delete',
    fails: ['not_found'],
  }),
  module: defineRoute({
    ...part,
    method: 'GET',
    path: '/dynamic-plugins/api/bundle/:id/:hash',
    summary: 'The module of a plugin as JavaScript',
    params: Type.Object({ id: Type.Integer(), hash: Type.String({ maxLength: 100 }) }),
    body: 'none',
    reply: 'bytes',
    can: ['can_read', 'DynamicPlugin'],
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    fails: ['not_found'],
  }),
  frame: defineRoute({
    ...part,
    method: 'GET',
    path: '/dynamic-plugins/frame',
    summary: 'The page in whose sandbox a plugin runs; it contains no data',
    body: 'none',
    reply: 'page',
    can: 'anyone',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    fails: [],
  }),
}
