import type { ChartPictureRequest } from '@parquetry/model'
import { toast, toastError, useText, useTheme, type MenuItem } from '@parquetry/ui'
import { api } from './api.ts'
import { messageOf } from './errors.ts'
import { saveResponse } from './save-response.ts'

/** What every picture is asked with: the format, the theme that its reader sees, and his clock's zone. */
export interface AskedPicture {
  format: ChartPictureRequest['format']
  theme: 'light' | 'dark'
  time_zone: string
}

/** A picture that is not there by then is on its way, and that is said. */
const patienceMs = 1000

/** "Download picture" with a choice of formats, for a menu. Paper is light. */
export function usePictures(ask: (asked: AskedPicture) => Promise<Response>, title: string): MenuItem {
  const t = useText()
  const theme = useTheme()
  const save = async (format: ChartPictureRequest['format']): Promise<void> => {
    const saying = setTimeout(() => toast(t('share.pictureOnItsWay', 'The picture is being drawn ...')), patienceMs)
    try {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      const response = await ask({ format, theme: format === 'pdf' ? 'light' : theme, time_zone })
      await saveResponse(response, `${title}.${format}`)
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      clearTimeout(saying)
    }
  }
  return {
    label: t('share.picture', 'Download picture'),
    icon: 'download',
    items: [
      { label: t('share.png', 'PNG'), onSelect: () => void save('png') },
      { label: t('share.svg', 'SVG'), onSelect: () => void save('svg') },
      { label: t('share.pdf', 'PDF'), onSelect: () => void save('pdf') },
    ],
  }
}

/** The picture of a chart by its form, saved or not. @throws ApiError */
export const chartPicture = (
  asked: AskedPicture,
  chart: Omit<ChartPictureRequest, keyof AskedPicture>,
): Promise<Response> => api.send('POST', '/api/v1/chart/picture', { body: { ...asked, ...chart } })
