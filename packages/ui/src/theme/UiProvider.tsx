import './tokens.css'
import './base.css'
import { HeadlessMantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { ConfirmHost } from '../overlays/confirm.tsx'
import { TooltipHost } from '../overlays/TooltipHost.tsx'
import { Toasts } from '../feedback/Toasts.tsx'
import { NavigationContext, type Navigation } from './navigation.tsx'

export interface UiProviderProps {
  navigation: Navigation
  children: ReactNode
}

/**
 * Everything below may use the components. It stands inside an `IntlProvider`.
 * Mantine is headless here: it gives behaviour (placement, roles, keys), our CSS modules and tokens give every look, so that no
 * colour can leak from a second theme and no style element is made at run time.
 */
export function UiProvider({ navigation, children }: UiProviderProps) {
  return (
    <HeadlessMantineProvider>
      <NavigationContext value={navigation}>
        {children}
        <ConfirmHost />
        <Toasts />
        <TooltipHost />
      </NavigationContext>
    </HeadlessMantineProvider>
  )
}
