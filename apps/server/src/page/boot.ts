import type { Boot } from '@parquetry/model'
import { clientSettings } from '../settings/config.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import { listPlugins } from '../dynamic-plugin/plugins.ts'
import { bootUser } from '../security/boot-user.ts'
import { loadSystemThemes } from '../theme/system-themes.ts'
import type { PageDeps } from './deps.ts'
import { buildMenu } from './menu.ts'

/** Boot data of every page for its user. The settings come from an explicit list without secrets. */
export async function buildBoot(
  deps: Pick<PageDeps, 'db' | 'settings' | 'examples'>,
  principal: Principal,
  flash: [category: string, text: string][],
): Promise<Boot> {
  const { config, flags } = deps.settings
  const themes = await loadSystemThemes(deps)
  const isAnonymous = principal.kind === 'anonymous'
  const hasPlugins = flags['DYNAMIC_PLUGINS'] === true && hasPermission(principal, ['can_read', 'DynamicPlugin'])
  return {
    user: await bootUser(deps, principal),
    common: {
      conf: Object.fromEntries(clientSettings.map((name) => [name, config[name]])),
      locale: config.BABEL_DEFAULT_LOCALE,
      feature_flags: flags,
      extra_sequential_color_schemes: config.EXTRA_SEQUENTIAL_COLOR_SCHEMES,
      extra_categorical_color_schemes: config.EXTRA_CATEGORICAL_COLOR_SCHEMES,
      theme_overrides: {},
      theme: { ...themes, enableUiThemeAdministration: config.ENABLE_UI_THEME_ADMINISTRATION },
      ...(hasPlugins && { dynamic_plugins: await listPlugins(deps.db) }),
      flash_messages: flash,
      examples: deps.examples,
      menu_data: {
        menu: buildMenu(principal),
        brand: {
          path: '/superset/welcome/',
          icon: '/static/favicon.svg',
          alt: config.APP_NAME,
          tooltip: '',
          text: config.APP_NAME,
        },
        environment_tag: {},
        navbar_right: {
          show_watermark: false,
          bug_report_url: null,
          documentation_url: null,
          version_string: null,
          version_sha: null,
          build_number: null,
          languages: {},
          show_language_picker: false,
          user_is_anonymous: isAnonymous,
          user_info_url: null,
          user_logout_url: '/logout/',
          user_login_url: '/login/',
          user_profile_url: null,
          locale: config.BABEL_DEFAULT_LOCALE,
        },
      },
    },
  }
}
