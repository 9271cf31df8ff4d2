import { AppError, message, type Picture } from '@parquetry/model'
import { messagesIn } from '../settings/messages.ts'
import type { Settings } from '../settings/settings.ts'

type ReaderSettings = Pick<Picture, 'locale' | 'messages' | 'timeZone' | 'fonts' | 'isAnalogous'>

/** Locale, messages, time zone, fonts and flags of an image. @throws AppError `invalid_payload` for an unknown time zone */
export function resolveReaderSettings({ config, flags, fonts }: Settings, timeZone = 'UTC'): ReaderSettings {
  try {
    Intl.DateTimeFormat('en', { timeZone })
  } catch (cause) {
    throw new AppError('invalid_payload', {
      message: message('errors.picture.timeZone', 'Unknown time zone "{timeZone}".', { timeZone }),
      cause,
    })
  }
  const locale = config.BABEL_DEFAULT_LOCALE.replace('_', '-')
  const isAnalogous = flags['USE_ANALAGOUS_COLORS'] === true
  return { locale, messages: messagesIn(locale, ['picture', 'charts']), timeZone, fonts, isAnalogous }
}
