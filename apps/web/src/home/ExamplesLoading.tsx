import { Banner, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { boot } from '../shared/boot.ts'

const pollMs = 1500
const maxPolls = 120

/** Example dashboards load in the background on first start: reports this and polls until they exist. */
export function ExamplesLoading() {
  const t = useTranslate()
  const queries = useQueryClient()
  const [times, setTimes] = useState(0)
  const isLoading = boot.common.examples?.state === 'loading' && times < maxPolls
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => {
      setTimes((before) => before + 1)
      void queries.invalidateQueries({ queryKey: ['dashboard'] })
      void queries.invalidateQueries({ queryKey: ['chart'] })
    }, pollMs)
    return () => clearTimeout(timer)
  }, [isLoading, times, queries])
  return isLoading ? (
    <Banner inline>
      {t('home.examples', 'Loading example dashboards with real data. They appear here in a few seconds.')}
    </Banner>
  ) : null
}
