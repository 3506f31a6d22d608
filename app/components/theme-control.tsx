import { Icon } from './icon'
import { PostForm } from './post-form'
import { useAddress } from './use-address'

const CHOICES = [
	{ theme: 'light', label: 'Light' },
	{ theme: 'dark', label: 'Dark' },
	{ theme: 'system', label: 'System' },
] as const

/** Three buttons of one form. The server keeps the choice, so that the first paint of the next page is right. */
export function ThemeControl({ theme, className }: { theme: 'light' | 'dark' | 'system'; className?: string }) {
	const { address } = useAddress()
	return (
		<PostForm action="/theme" className={className} preventScrollReset replace>
			<input type="hidden" name="redirectTo" value={address} />
			<span className="border-line inline-flex gap-0.5 rounded-lg border p-0.75" role="group" aria-label="Theme">
				{CHOICES.map((choice) => (
					<button
						key={choice.theme}
						type="submit"
						name="theme"
						value={choice.theme}
						aria-pressed={choice.theme === theme}
						title={choice.label}
						className="text-muted hover:text-base-content aria-pressed:border-line aria-pressed:bg-base-200 aria-pressed:text-primary grid h-8 w-9 cursor-pointer place-items-center rounded border border-transparent max-lg:size-11 pointer-coarse:size-11"
					>
						<Icon name={choice.theme} />
						<span className="sr-only">{choice.label} </span>
					</button>
				))}
			</span>
		</PostForm>
	)
}
