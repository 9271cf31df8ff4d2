import { useEffect, useState } from 'react'
import { combineMaps, type CombinedMapSpec } from '../shared/map/combined-maps.ts'
import MapView from '../shared/map/MapView.tsx'
import type { ViewProps } from '../views/view.ts'

/** Renders the maps of all charts in one, once the code of their types is loaded. */
export default function LaidMapsView(props: ViewProps) {
  const { spec, around } = props
  const { locale, timeZone, translate } = around
  const [combined, setCombined] = useState<Awaited<ReturnType<typeof combineMaps>> | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isCurrent = true
    combineMaps(spec as CombinedMapSpec, { locale, timeZone, translate } as typeof around).then(
      (next) => isCurrent && setCombined(next),
      (reason: unknown) => isCurrent && setError(reason),
    )
    return () => {
      isCurrent = false
    }
  }, [spec, locale, timeZone, translate])
  // The surrounding error boundary shows and reports the error.
  if (error) throw error
  return combined && <MapView {...props} spec={combined.spec} frames={combined.frames} />
}
