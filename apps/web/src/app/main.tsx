import '@fontsource-variable/inter/wght.css'
import { registerPlugins } from '@parquetry/charts'
import { AnalogousColorsContext } from '@parquetry/charts/views/analogous-colors'
import { MapTilesContext } from '@parquetry/charts/views/map-tiles'
import type { MapTiles } from '@parquetry/model'
import { setThemeVariables, UiProvider, type Navigation } from '@parquetry/ui'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { boot } from '../shared/boot.ts'
import { hasAnalogousColors } from '../shared/features.ts'
import { i18n } from '../shared/intl.ts'
import { queryClient } from '../shared/query-client.ts'
import { watchChunkErrors } from '../shared/update.ts'
import { router } from './router.tsx'

const navigation: Navigation = {
  go: (href, { replace } = {}) => (replace ? router.history.replace(href) : router.history.push(href)),
  preload: (href) => {
    const { pathname } = new URL(href, location.origin)
    router.preloadRoute({ to: pathname }).catch(() => {
      // Following the link reports the error.
    })
  },
}

watchChunkErrors()
if (boot.common.theme) setThemeVariables(boot.common.theme.variables)
registerPlugins(boot.common.dynamic_plugins ?? [])

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <UiProvider navigation={navigation} i18n={i18n}>
        <MapTilesContext value={(boot.common.conf['MAP_TILES'] ?? []) as MapTiles[]}>
          <AnalogousColorsContext value={hasAnalogousColors()}>
            <RouterProvider router={router} />
          </AnalogousColorsContext>
        </MapTilesContext>
      </UiProvider>
    </QueryClientProvider>
  </StrictMode>,
)
