export { UiProvider, type UiProviderProps } from './theme/UiProvider.tsx'
export { Link, useNavigation, type LinkProps, type Navigation } from './theme/navigation.tsx'
export { setDensity, setTheme, storageKeys, useDensity, useTheme, useThemeChoice } from './theme/theme.ts'
export type { Density, Theme, ThemeChoice } from './theme/theme.ts'
export { useText, type TextValues, type Translate } from './theme/use-text.ts'

export { Icon, type IconProps } from './icons/Icon.tsx'
export type { IconName } from './icons/paths.ts'

export { Button, ButtonLink, type ButtonLinkProps, type ButtonProps } from './buttons/Button.tsx'
export { IconButton, type IconButtonProps } from './buttons/IconButton.tsx'
export { SplitButton, type SplitButtonProps } from './buttons/SplitButton.tsx'
export { Star, type StarProps } from './buttons/Star.tsx'

export { Field, useField, useFieldLabel, type FieldProps } from './fields/Field.tsx'
export { PasswordInput, TextArea, TextInput, type TextAreaProps, type TextInputProps } from './fields/TextInput.tsx'
export { Checkbox, RadioGroup, Segmented, Switch, type Choice } from './fields/choices.tsx'

export { confirm, type Confirmation } from './overlays/confirm.tsx'
export { Dialog, type DialogProps } from './overlays/Dialog.tsx'
export { Drawer, type DrawerProps } from './overlays/Drawer.tsx'
export { Menu, type MenuAction, type MenuItem, type MenuProps } from './overlays/Menu.tsx'
export { Popover, type PopoverProps } from './overlays/Popover.tsx'
export { Tooltip, type TooltipProps } from './overlays/Tooltip.tsx'

export { EmptyState, type EmptyStateProps } from './feedback/EmptyState.tsx'
export { ErrorPanel, type ErrorPanelProps } from './feedback/ErrorPanel.tsx'
export { AfterMoment, ProgressLine, Skeleton, type SkeletonProps } from './feedback/Skeleton.tsx'
export { Spinner } from './feedback/Spinner.tsx'
export { Badge, JobChip, StatusChip, type StatusChipProps, type Tone } from './feedback/StatusChip.tsx'
export { Strip, type StripProps } from './feedback/Strip.tsx'
export { useCopy } from './feedback/use-copy.ts'
export { toast, toastError, toastHistory, type Toast, type ToastAction, type ToastOptions } from './feedback/toast.ts'

export { Breadcrumb, type Crumb } from './layout/Breadcrumb.tsx'
export { PageHeader, type PageHeaderProps } from './layout/PageHeader.tsx'
export { SplitPane, type SplitPaneProps } from './layout/SplitPane.tsx'
export { Tabs, type Tab, type TabsProps } from './layout/Tabs.tsx'

export { KeyHint } from './commands/KeyHint.tsx'
export { useLayer } from './commands/layers.ts'
export { setSingleKeys, singleKeysOn, useCommand, useCommands, type Command } from './commands/registry.ts'

export { NumberInput, readNumber, type NumberInputProps } from './fields/NumberInput.tsx'
export { MultiSelect, type MultiSelectProps } from './fields/select/MultiSelect.tsx'
export type { LoadOptions, Option, OptionPage } from './fields/select/options.ts'
export { Select, type SelectProps } from './fields/select/Select.tsx'

export { Avatar, Avatars, personName, type Person } from './data/Avatars.tsx'
export { Certified, type CertifiedProps } from './data/Certified.tsx'
export { Tag, type TagProps } from './data/Tag.tsx'
export { Card, CardGrid, type CardProps } from './data/Card.tsx'
export { DropZone, type DropZoneProps } from './data/DropZone.tsx'
export type { TreeNode } from './data/flatten-tree.ts'
export { ListTable, type Column, type ListTableProps, type RowAction, type Sort } from './data/ListTable.tsx'
export { Pager, type PagerProps } from './data/Pager.tsx'
export { Tree, type TreeProps } from './data/Tree.tsx'

export {
  CommandPalette,
  type CommandPaletteProps,
  type PaletteGroup,
  type PaletteItem,
} from './commands/CommandPalette.tsx'
export { fuzzy } from './commands/fuzzy.ts'
export { KeysDialog, type KeysDialogProps } from './commands/KeysDialog.tsx'
