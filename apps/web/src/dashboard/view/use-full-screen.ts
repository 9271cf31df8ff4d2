import { useCommand, useTranslate, type Command } from '@parquetry/ui'
import { useEffect } from 'react'
import { usePage } from '../../shared/page.ts'
import { dashboard } from '../pages.ts'

/**
 * Hides navigation (`standalone=1`) and uses the browser's full screen if it is available. Leaving the browser's full screen,
 * with Esc too, leaves this mode.
 */
export function useFullScreen(): Command {
  const t = useTranslate()
  const { search, setSearch } = usePage(dashboard)
  const isOn = search.standalone > 0
  useEffect(() => {
    if (!isOn) return
    const follow = () => document.fullscreenElement === null && setSearch({ standalone: null }, { replace: true })
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [isOn, setSearch])
  useEffect(() => leave, [])
  return useCommand({
    id: 'dashboard.fullScreen',
    label: isOn ? t('dashboard.leaveFullScreen', 'Exit full screen') : t('dashboard.fullScreen', 'Full screen'),
    shortcut: 'P',
    icon: 'expand',
    run: () => {
      if (isOn) leave()
      else document.documentElement.requestFullscreen?.().catch(() => undefined)
      setSearch({ standalone: isOn ? null : 1 }, { replace: true })
    },
  })
}

function leave(): void {
  if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined)
}
