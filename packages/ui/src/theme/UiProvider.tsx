import './tokens.css'
import './base.css'
import type { ReactNode } from 'react'
import { Toasts } from '../feedback/Toasts.tsx'
import { ConfirmHost } from '../overlays/confirm.tsx'
import { TooltipHost } from '../overlays/TooltipHost.tsx'
import { NavigationContext, type Navigation } from './navigation.tsx'
import { I18nContext, type I18n } from './i18n.ts'

export interface UiProviderProps {
  navigation: Navigation
  i18n: I18n
  children: ReactNode
}

/** Provides the context that all components need. */
export function UiProvider({ navigation, i18n, children }: UiProviderProps) {
  return (
    <I18nContext value={i18n}>
      <NavigationContext value={navigation}>
        {children}
        <ConfirmHost />
        <Toasts />
        <TooltipHost />
      </NavigationContext>
    </I18nContext>
  )
}
