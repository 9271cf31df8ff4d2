import { engines } from '@parquetry/engines'
import type { MapTiles, SubjectType } from '@parquetry/model'

/** Default settings under their API names, which PARQUETRY_CONFIG may override. Only settings that are used are listed. */
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
  /** CREATE TABLE AS stores all rows of a query instead of the chosen limit. */
  SQLLAB_CTAS_NO_LIMIT: false,
  /** Limit of one SQL Lab result; null uses the server's limit for any response. */
  SQLLAB_PAYLOAD_MAX_MB: null as number | null,
  GLOBAL_ASYNC_QUERIES_TRANSPORT: 'polling',
  GLOBAL_ASYNC_QUERIES_POLLING_DELAY: 500,
  GLOBAL_ASYNC_QUERIES_WEBSOCKET_URL: null as string | null,
  CSV_EXPORT: { encoding: 'utf-8' } as { encoding?: string; sep?: string },
  SQLLAB_VALIDATION_TIMEOUT: 10,
  SQLLAB_QUERY_COST_ESTIMATE_TIMEOUT: 10,
  /** Name of the SQL validator by engine; null disables validation. */
  SQL_VALIDATORS_BY_ENGINE: Object.fromEntries(engines.map(({ name }) => [name, 'Parquetry'])) as Record<
    string,
    string | null
  >,
  /** Allowed schedules in the format of the API: a JSON schema and its texts, for clients that render their own form. */
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
  /** Map tile servers that browsers may use, the default one first. Without them maps load nothing from other hosts. */
  MAP_TILES: [] as MapTiles[],
  /** Hosts whose images may appear in dashboard text; other images become links. Browsers of readers contact these hosts. */
  IMAGE_HOSTS: [] as string[],
  /** Further hosts of this server, for clients that spread their calls (ALLOW_DASHBOARD_DOMAIN_SHARDING); pages may call them. */
  SUPERSET_WEBSERVER_DOMAINS: [] as string[],
  /** Own sentences by `error_type`, such as `GENERIC_DB_ENGINE_ERROR`; pages show them above the original message (ERR-003). */
  ERROR_MESSAGES: {} as Record<string, string>,
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
  /** Timeout of a connection test in seconds; ten at most. */
  TEST_DATABASE_CONNECTION_TIMEOUT: 10,
  /** Allow connections to private networks, and to this machine. Link-local and metadata addresses are never allowed. */
  DATABASE_PRIVATE_HOSTS: true,
  DATABASE_LOOPBACK_HOSTS: true,
  /** Allow encrypted connections to servers whose certificate is not trusted. */
  DATABASE_UNVERIFIED_TLS: false,
  /** The same for URLs that users enter, such as those of images. */
  URL_PRIVATE_HOSTS: false,
  URL_LOOPBACK_HOSTS: false,
  EXCLUDE_USERS_FROM_LISTS: [] as string[],
  /** Viewers read the data of a dashboard or chart within it, without access to its datasets. */
  VIEWER_PROMISCUOUS_MODE: false,
  /** Kinds of subjects that the pickers of owners and viewers offer; null stands for all. */
  SUBJECTS_RELATED_TYPES: ['user', 'group'] as SubjectType[] | null,
  /** Replace the general list for dashboards and charts. */
  SUBJECTS_RELATED_TYPES_DASHBOARDS: null as SubjectType[] | null,
  SUBJECTS_RELATED_TYPES_CHARTS: null as SubjectType[] | null,
  /** Kinds of subjects that row-level security rules offer. */
  SUBJECTS_RELATED_TYPES_RLS: ['user', 'role', 'group'] as SubjectType[],
  PUBLIC_ROLE_LIKE: null as string | null,
  GUEST_ROLE_NAME: 'Public',
  GUEST_TOKEN_JWT_EXP_SECONDS: 300,
  BABEL_DEFAULT_LOCALE: 'en',
  /** Themes of all pages in light and in dark mode, as Superset writes them; administrators can choose others on the page of themes. */
  THEME_DEFAULT: { algorithm: 'default' } as Record<string, unknown>,
  THEME_DARK: { algorithm: 'dark' } as Record<string, unknown>,
  ENABLE_UI_THEME_ADMINISTRATION: true,
  EXTRA_CATEGORICAL_COLOR_SCHEMES: [] as unknown[],
  EXTRA_SEQUENTIAL_COLOR_SCHEMES: [] as unknown[],
  /** Throttles sign-ins. AUTH_RATE_LIMIT: failed attempts for one account from one address before further ones are refused. */
  AUTH_RATE_LIMITED: true,
  AUTH_RATE_LIMIT: '10 per 5 minutes',
  /** Rules for new passwords: a minimum length, and passwords that are refused beside the built-in list of common ones. */
  FAB_PASSWORD_COMPLEXITY_ENABLED: true,
  AUTH_PASSWORD_MIN_LENGTH: 8,
  AUTH_PASSWORD_COMMON_BLOCKLIST: [] as string[],
  /** API keys of users, and the prefixes that distinguish them from tokens; new keys have the first one. */
  FAB_API_KEY_ENABLED: true,
  FAB_API_KEY_PREFIXES: ['sst_'],
  /** Requests per minute and caller, by rate class; 0 means no limit. */
  RATE_LIMITS: { read: 0, write: 0, query: 0 },
  /** Calls of one user in progress: reads, writes, queries and file transfers each. Further ones wait. 0 means no limit. */
  API_CALLS_PER_USER: 16,
  CSV_EXTENSIONS: ['csv', 'tsv', 'txt'],
  EXCEL_EXTENSIONS: ['xlsx', 'xls'],
  COLUMNAR_EXTENSIONS: ['parquet', 'zip'],
  ALLOWED_EXTENSIONS: ['csv', 'tsv', 'txt', 'xlsx', 'xls', 'parquet', 'zip'],
  /** Size limits of one file: uploaded in a form, and in chunks. */
  UPLOAD_FORM_LIMIT_MB: 100,
  UPLOAD_LIMIT_MB: 10_240,
  /**
   * Limits of one imported bundle: size of the archive, objects, files including those that are not read, and size unpacked, which
   * also limits exports.
   */
  IMPORT_UPLOAD_LIMIT_MB: 100,
  IMPORT_OBJECT_LIMIT: 10_000,
  IMPORT_FILE_LIMIT: 12_000,
  IMPORT_UNPACKED_LIMIT_MB: 500,
  /**
   * Storage of one user: tables loaded from files, images in texts of dashboards, and what links and addresses of pages refer to
   * (permalinks, filter states, form data). 0 means no limit.
   */
  UPLOAD_QUOTA_MB: 1024,
  IMAGE_QUOTA_MB: 200,
  LINK_QUOTA_MB: 100,
  /**
   * Mail server; without host and sender no e-mail is sent. SMTP_SSL encrypts from the first byte, SMTP_STARTTLS before anything
   * confidential is sent. SMTP_SSL_SERVER_AUTH verifies the certificate.
   */
  SMTP_HOST: '',
  SMTP_PORT: 25,
  SMTP_STARTTLS: true,
  SMTP_SSL: false,
  SMTP_SSL_SERVER_AUTH: true,
  SMTP_USER: '',
  /** Also PARQUETRY_SMTP_PASSWORD in the environment. */
  SMTP_PASSWORD: '',
  /** `reports@example.com` or `Reports <reports@example.com>` */
  SMTP_MAIL_FROM: '',
  EMAIL_REPORTS_SUBJECT_PREFIX: '[Report] ',
  /** Files of reports are kept for their log this long, and at most this many in all. The log itself stays longer. */
  REPORT_FILES_DAYS: 7,
  REPORT_FILES_QUOTA_MB: 1024,
  /** Alerts and reports that one user may create. Administrators have no limit; 0 means no limit for anyone. */
  ALERT_REPORTS_MAX_PER_USER: 200,
  /** Domains that reports may be sent to by e-mail, such as `example.com`; empty means all. */
  ALERT_REPORTS_EMAIL_DOMAINS: [] as string[],
  /** Webhooks: only encrypted ones, none to this machine and private networks, and their timeout in seconds. */
  ALERT_REPORTS_WEBHOOK_HTTPS_ONLY: true,
  ALERT_REPORTS_WEBHOOK_ALLOW_INTERNAL_HOSTS: false,
  ALERT_REPORTS_WEBHOOK_TIMEOUT: 60,
  /** Signs webhooks; also PARQUETRY_ALERT_REPORTS_WEBHOOK_SECRET in the environment. Empty: they are not signed. */
  ALERT_REPORTS_WEBHOOK_SECRET: '',
  /** Token of a Slack bot; also PARQUETRY_SLACK_API_TOKEN in the environment. */
  SLACK_API_TOKEN: '',
  /** Initial values in the form of a new alert or report; also the values of those created without them. */
  ALERT_REPORTS_DEFAULT_CRON_VALUE: '0 0 * * *',
  ALERT_REPORTS_DEFAULT_RETENTION: 90,
  ALERT_REPORTS_DEFAULT_WORKING_TIMEOUT: 3600,
  /** Width of images in pixels that a report may choose. */
  ALERT_REPORTS_MIN_CUSTOM_SCREENSHOT_WIDTH: 600,
  ALERT_REPORTS_MAX_CUSTOM_SCREENSHOT_WIDTH: 2400,
  /** Alerts and reports have at least this many seconds between two runs; with 0 they can run every minute. */
  ALERT_MINIMUM_INTERVAL: 0,
  REPORT_MINIMUM_INTERVAL: 0,
  FEATURE_FLAGS: {} as Record<string, boolean>,
}

export type Config = typeof defaultConfig

/** The settings that pages pass to the browser as `common.conf`. */
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
  'SUPERSET_WEBSERVER_DOMAINS',
  'ERROR_MESSAGES',
  'NATIVE_FILTER_DEFAULT_ROW_LIMIT',
  'PREVENT_UNSAFE_DEFAULT_URLS_ON_DATASET',
  'CSV_EXTENSIONS',
  'EXCEL_EXTENSIONS',
  'COLUMNAR_EXTENSIONS',
  'ALLOWED_EXTENSIONS',
  'FAB_API_KEY_ENABLED',
  'FAB_PASSWORD_COMPLEXITY_ENABLED',
  'AUTH_PASSWORD_MIN_LENGTH',
  'ALERT_REPORTS_DEFAULT_CRON_VALUE',
  'ALERT_REPORTS_DEFAULT_RETENTION',
  'ALERT_REPORTS_DEFAULT_WORKING_TIMEOUT',
] as const satisfies readonly (keyof Config)[]

/** Feature flags and their defaults; a flag not listed here is off. */
export const defaultFlags: Record<string, boolean> = {
  ALERTS_ATTACH_REPORTS: true,
  ALERT_REPORTS: true,
  ALERT_REPORTS_FILTER: true,
  ALERT_REPORT_SLACK_V2: true,
  ALERT_REPORT_TABS: true,
  ALERT_REPORT_WEBHOOK: true,
  ALLOW_ADHOC_SUBQUERY: false,
  ALLOW_DASHBOARD_DOMAIN_SHARDING: true,
  ALLOW_FULL_CSV_EXPORT: false,
  ASSIGN_CREATOR_GROUPS_AS_VIEWERS: false,
  DASHBOARD_CROSS_FILTERS: true,
  DASHBOARD_FILTERS_EXPERIMENTAL: false,
  DASHBOARD_NATIVE_FILTERS: true,
  DASHBOARD_NATIVE_FILTERS_SET: true,
  DASHBOARD_RBAC: true,
  DASHBOARD_VIRTUALIZATION: false,
  DATAPANEL_CLOSED_BY_DEFAULT: false,
  DISABLE_LEGACY_DATASOURCE_EDITOR: true,
  DISPLAY_MARKDOWN_HTML: true,
  DRILL_BY: true,
  DRILL_TO_DETAIL: true,
  DYNAMIC_PLUGINS: false,
  ENABLE_VIEWERS: false,
  EMBEDDABLE_CHARTS: true,
  EMBEDDED_SUPERSET: false,
  ENABLE_EXPLORE_DRAG_AND_DROP: true,
  ENABLE_TEMPLATE_PROCESSING: false,
  ESCAPE_MARKDOWN_HTML: false,
  ESTIMATE_QUERY_COST: false,
  GENERIC_CHART_AXES: true,
  GLOBAL_ASYNC_QUERIES: false,
  GLOBAL_TASK_FRAMEWORK: true,
  HORIZONTAL_FILTER_BAR: true,
  KV_STORE: false,
  LISTVIEWS_DEFAULT_CARD_VIEW: false,
  RLS_IN_SQLLAB: true,
  SSH_TUNNELING: true,
  SQLLAB_BACKEND_PERSISTENCE: true,
  TAGGING_SYSTEM: true,
  THUMBNAILS: true,
  USE_ANALAGOUS_COLORS: false,
}
