import { show } from '@parquetry/ui/show.testing.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'

/** Renders a control with its own query cache. */
export const showControl = (children: ReactNode) =>
  show(<QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>)
