/** What a message is. It decides the colour and the icon, and how a screen reader announces it. */
export type ToastKind = 'default' | 'success' | 'info' | 'error' | 'warning' | 'loading'
