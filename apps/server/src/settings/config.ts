import { engines } from '@parquetry/engines'
import type { MapTiles } from '@parquetry/model'

/**
 * Settings under their API names, as PARQUETRY_CONFIG may set them; these are the defaults.
 * Only settings that something reads stand here.
 */
export const defaultConfig = {
  APP_NAME: 'Parquetry',
  ROW_LIMIT: 50_000,
  SQL_MAX_ROW: 100_000,
  SAMPLES_ROW_LIMIT: 1000,
  FILTER_SELECT_ROW_LIMIT: 10_000,
  NATIVE_FILTER_DEFAULT_ROW_LIMIT: 1000,
  DEFAULT_SQLLAB_LIMIT: 1000,
  DISPLAY_MAX_ROW: 10_000,
  QUERY_SEARCH_LIMIT: 1000,
  SUPERSET_WEBSERVER_TIMEOUT: 60,
  SQLLAB_TIMEOUT: 30,
  SQLLAB_ASYNC_TIME_LIMIT_SEC: 900,
  /** Tables made of a query take all of its rows instead of the chosen limit. */
  SQLLAB_CTAS_NO_LIMIT: false,
  /** Of one result of SQL Lab; null is what the server allows of any answer. */
  SQLLAB_PAYLOAD_MAX_MB: null as number | null,
  GLOBAL_ASYNC_QUERIES_TRANSPORT: 'polling',
  GLOBAL_ASYNC_QUERIES_POLLING_DELAY: 500,
  GLOBAL_ASYNC_QUERIES_WEBSOCKET_URL: null as string | null,
  CSV_EXPORT: { encoding: 'utf-8' } as { encoding?: string; sep?: string },
  SQLLAB_VALIDATION_TIMEOUT: 10,
  SQLLAB_QUERY_COST_ESTIMATE_TIMEOUT: 10,
  /** Engine -> name of its check of SQL; null switches the check off. */
  SQL_VALIDATORS_BY_ENGINE: Object.fromEntries(engines.map(({ name }) => [name, 'Parquetry'])) as Record<
    string,
    string | null
  >,
  /** What a schedule may be, as the API has it: a JSON schema and its words. Clients that draw a form of their own read it. */
  SCHEDULED_QUERIES: {} as Record<string, unknown>,
  SQLLAB_SCHEDULE_WARNING_MESSAGE: null as string | null,
  SQLLAB_DEFAULT_DBID: null as number | null,
  SQLLAB_SAVE_WARNING_MESSAGE: null as string | null,
  DEFAULT_VIZ_TYPE: 'table',
  DEFAULT_TIME_FILTER: 'No filter',
  DEFAULT_RELATIVE_START_TIME: 'today',
  DEFAULT_RELATIVE_END_TIME: 'today',
  VIZ_TYPE_DENYLIST: [] as string[],
  TIME_GRAIN_DENYLIST: [] as string[],
  /** Servers of map tiles that browsers may ask, the usual one first. Without them maps fetch nothing from elsewhere. */
  MAP_TILES: [] as MapTiles[],
  /** Hosts whose pictures the text of a dashboard may show; of others a link stands there. Readers are told to them. */
  IMAGE_HOSTS: [] as string[],
  SUPERSET_DASHBOARD_POSITION_DATA_LIMIT: 65_535,
  SUPERSET_DASHBOARD_PERIODICAL_REFRESH_LIMIT: 0,
  DASHBOARD_AUTO_REFRESH_MODE: 'force',
  DASHBOARD_AUTO_REFRESH_INTERVALS: [0, 10, 30, 60, 300, 1800, 3600, 21_600, 43_200, 86_400],
  CACHE_DEFAULT_TIMEOUT: 86_400,
  HTML_SANITIZATION: true,
  WELCOME_PAGE_LAST_TAB: 'all',
  PREVENT_UNSAFE_DEFAULT_URLS_ON_DATASET: true,
  PREFERRED_DATABASES: engines.map(({ title }) => title),
  PREVENT_UNSAFE_DB_CONNECTIONS: true,
  /** Seconds until a test of a connection gives up; ten at most. */
  TEST_DATABASE_CONNECTION_TIMEOUT: 10,
  /** Connections to addresses of private networks, and to this machine. Link-local and metadata addresses are never reached. */
  DATABASE_PRIVATE_HOSTS: true,
  DATABASE_LOOPBACK_HOSTS: true,
  /** Encrypted connections whose server shows a certificate that nobody we know has signed. */
  DATABASE_UNVERIFIED_TLS: false,
  /** The same for addresses that people give, such as those of images. */
  URL_PRIVATE_HOSTS: false,
  URL_LOOPBACK_HOSTS: false,
  EXCLUDE_USERS_FROM_LISTS: [] as string[],
  PUBLIC_ROLE_LIKE: null as string | null,
  GUEST_ROLE_NAME: 'Public',
  GUEST_TOKEN_JWT_EXP_SECONDS: 300,
  BABEL_DEFAULT_LOCALE: 'en',
  EXTRA_CATEGORICAL_COLOR_SCHEMES: [] as unknown[],
  EXTRA_SEQUENTIAL_COLOR_SCHEMES: [] as unknown[],
  /** Whether failed sign-ins are counted, and how many of one account from one address lock it: `10 per 5 minutes`. */
  AUTH_RATE_LIMITED: true,
  AUTH_RATE_LIMIT: '10 per 5 minutes',
  /** Requests a minute per caller, by rate class; 0 is no limit. */
  RATE_LIMITS: { read: 0, write: 0, query: 0 },
  CSV_EXTENSIONS: ['csv', 'tsv', 'txt'],
  EXCEL_EXTENSIONS: ['xlsx', 'xls'],
  COLUMNAR_EXTENSIONS: ['parquet', 'zip'],
  ALLOWED_EXTENSIONS: ['csv', 'tsv', 'txt', 'xlsx', 'xls', 'parquet', 'zip'],
  /** Of one file: sent in a form, and sent in parts. */
  UPLOAD_FORM_LIMIT_MB: 100,
  UPLOAD_LIMIT_MB: 10_240,
  FEATURE_FLAGS: {} as Record<string, boolean>,
}

export type Config = typeof defaultConfig

/** The settings that pages hand to the browser as `common.conf`. */
export const clientSettings = [
  'SUPERSET_WEBSERVER_TIMEOUT',
  'SUPERSET_DASHBOARD_POSITION_DATA_LIMIT',
  'SUPERSET_DASHBOARD_PERIODICAL_REFRESH_LIMIT',
  'DEFAULT_SQLLAB_LIMIT',
  'DEFAULT_VIZ_TYPE',
  'SQL_MAX_ROW',
  'SQLLAB_SAVE_WARNING_MESSAGE',
  'SQLLAB_DEFAULT_DBID',
  'SQL_VALIDATORS_BY_ENGINE',
  'SCHEDULED_QUERIES',
  'SQLLAB_SCHEDULE_WARNING_MESSAGE',
  'DISPLAY_MAX_ROW',
  'GLOBAL_ASYNC_QUERIES_TRANSPORT',
  'GLOBAL_ASYNC_QUERIES_POLLING_DELAY',
  'GLOBAL_ASYNC_QUERIES_WEBSOCKET_URL',
  'DASHBOARD_AUTO_REFRESH_MODE',
  'DASHBOARD_AUTO_REFRESH_INTERVALS',
  'SAMPLES_ROW_LIMIT',
  'DEFAULT_TIME_FILTER',
  'HTML_SANITIZATION',
  'WELCOME_PAGE_LAST_TAB',
  'VIZ_TYPE_DENYLIST',
  'MAP_TILES',
  'IMAGE_HOSTS',
  'NATIVE_FILTER_DEFAULT_ROW_LIMIT',
  'PREVENT_UNSAFE_DEFAULT_URLS_ON_DATASET',
  'CSV_EXTENSIONS',
  'EXCEL_EXTENSIONS',
  'COLUMNAR_EXTENSIONS',
  'ALLOWED_EXTENSIONS',
] as const satisfies readonly (keyof Config)[]

/** Feature flags and whether they are on by default; a flag not named here is off. */
export const defaultFlags: Record<string, boolean> = {
  ALERTS_ATTACH_REPORTS: true,
  ALERT_REPORTS: false,
  ALLOW_ADHOC_SUBQUERY: false,
  ALLOW_FULL_CSV_EXPORT: false,
  DASHBOARD_CROSS_FILTERS: true,
  DASHBOARD_FILTERS_EXPERIMENTAL: false,
  DASHBOARD_NATIVE_FILTERS: true,
  DASHBOARD_NATIVE_FILTERS_SET: true,
  DASHBOARD_RBAC: false,
  DASHBOARD_VIRTUALIZATION: false,
  DATAPANEL_CLOSED_BY_DEFAULT: false,
  DISABLE_LEGACY_DATASOURCE_EDITOR: true,
  DISPLAY_MARKDOWN_HTML: true,
  DRILL_BY: true,
  DRILL_TO_DETAIL: true,
  DYNAMIC_PLUGINS: false,
  EMBEDDABLE_CHARTS: true,
  EMBEDDED_SUPERSET: false,
  ENABLE_EXPLORE_DRAG_AND_DROP: true,
  ENABLE_TEMPLATE_PROCESSING: false,
  ESCAPE_MARKDOWN_HTML: false,
  ESTIMATE_QUERY_COST: false,
  GENERIC_CHART_AXES: true,
  GLOBAL_ASYNC_QUERIES: false,
  HORIZONTAL_FILTER_BAR: true,
  KV_STORE: false,
  LISTVIEWS_DEFAULT_CARD_VIEW: false,
  RLS_IN_SQLLAB: true,
  SSH_TUNNELING: false,
  SQLLAB_BACKEND_PERSISTENCE: true,
  TAGGING_SYSTEM: false,
  THUMBNAILS: false,
  USE_ANALAGOUS_COLORS: false,
}
