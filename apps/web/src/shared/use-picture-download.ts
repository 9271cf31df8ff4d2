import { toast, toastError, useTranslate, useTheme, type MenuItem } from '@parquetry/ui'
import type { PictureFormat } from '@parquetry/model'
import type { PictureOptions } from './chart-picture.ts'
import { messageOf } from './errors.ts'
import { saveResponse } from './save-response.ts'

/** Delay after which a toast announces the download. */
const toastDelayMs = 1000

/** "Download picture" menu item with a choice of formats. PDFs use the light theme. */
export function usePictureDownload(
  fetchPicture: (options: PictureOptions) => Promise<Response>,
  title: string,
): MenuItem {
  const t = useTranslate()
  const theme = useTheme()
  const save = async (format: PictureFormat): Promise<void> => {
    const toastTimer = setTimeout(() => toast(t('share.pictureOnItsWay', 'Preparing download…')), toastDelayMs)
    try {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      const response = await fetchPicture({ format, theme: format === 'pdf' ? 'light' : theme, time_zone })
      await saveResponse(response, `${title}.${format}`)
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      clearTimeout(toastTimer)
    }
  }
  return {
    label: t('share.picture', 'Download image'),
    icon: 'download',
    items: [
      { label: t('share.png', 'PNG'), onSelect: () => void save('png') },
      { label: t('share.svg', 'SVG'), onSelect: () => void save('svg') },
      { label: t('share.pdf', 'PDF'), onSelect: () => void save('pdf') },
    ],
  }
}
