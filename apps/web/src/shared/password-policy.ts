import { defaultPasswordPolicy, type PasswordPolicy } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'
import { boot } from './boot.ts'

const { conf } = boot.common
const minLength = conf['AUTH_PASSWORD_MIN_LENGTH']

/** Rules for new passwords. The server also knows passwords that the operator refuses. */
export const passwordPolicy: PasswordPolicy = {
  isEnabled: conf['FAB_PASSWORD_COMPLEXITY_ENABLED'] !== false,
  minLength: typeof minLength === 'number' ? minLength : defaultPasswordPolicy.minLength,
  blocklist: [],
}

export const passwordLengthRule = (t: Translate): string =>
  t('signIn.short', 'Use at least {count, plural, one {# character} other {# characters}}.', {
    count: passwordPolicy.isEnabled ? passwordPolicy.minLength : 1,
  })
