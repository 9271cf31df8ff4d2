import './tokens.css'
import './base.css'
import type { ReactNode } from 'react'
import { Toasts } from '../feedback/Toasts.tsx'
import { ConfirmHost } from '../overlays/confirm.tsx'
import { TooltipHost } from '../overlays/TooltipHost.tsx'
import { NavigationContext, type Navigation } from './navigation.tsx'

export interface UiProviderProps {
  navigation: Navigation
  children: ReactNode
}

/** Everything below may use the components. It stands inside an `IntlProvider`. */
export function UiProvider({ navigation, children }: UiProviderProps) {
  return (
    <NavigationContext value={navigation}>
      {children}
      <ConfirmHost />
      <Toasts />
      <TooltipHost />
    </NavigationContext>
  )
}
