import { chooseInk } from '~/lib/palette-contrast'
import { settings } from './env.server'

/** On paper everything is black (print.css). These rules have no layer, so they win over the palettes of the stylesheet. */
const onScreen = (colour: string, palette: 'light' | 'dark') => {
	const rule = `{--color-primary:${colour};--color-primary-content:${chooseInk(colour)}}`
	return `@media screen{[data-theme=${palette}]${rule}}@media screen and (prefers-color-scheme:${palette}){:root:not([data-theme])${rule}}`
}

/** The broker's colours as rules for every page; nothing when none is set. A colour of one palette leaves the other as it is. */
export const brandColours = [
	settings.BRAND_COLOUR && onScreen(settings.BRAND_COLOUR, 'light'),
	settings.BRAND_COLOUR_DARK && onScreen(settings.BRAND_COLOUR_DARK, 'dark'),
]
	.filter(Boolean)
	.join('')
