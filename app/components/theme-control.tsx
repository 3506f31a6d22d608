import { useLocation } from '@remix-run/react'
import { Icon } from './icon'
import { PostForm } from './post-form'

const CHOICES = [
	{ theme: 'light', label: 'Light' },
	{ theme: 'dark', label: 'Dark' },
	{ theme: 'system', label: 'System' },
] as const

/** Three buttons of one form. The server keeps the choice, so that the first paint of the next page is right. */
export function ThemeControl({ theme }: { theme: 'light' | 'dark' | 'system' }) {
	const { pathname, search } = useLocation()
	return (
		<PostForm action="/theme" className="theme" preventScrollReset replace>
			<input type="hidden" name="redirectTo" value={pathname + search} />
			<span className="segments" role="group" aria-label="Theme">
				{CHOICES.map((choice) => (
					<button
						key={choice.theme}
						type="submit"
						name="theme"
						value={choice.theme}
						aria-pressed={choice.theme === theme}
						title={choice.label}
					>
						<Icon name={choice.theme} />
						<span className="sr-only">{choice.label} </span>
					</button>
				))}
			</span>
		</PostForm>
	)
}
