import { type Config } from 'tailwindcss'

/** Sizes and layers fixed by the specification, and names for colours that daisyUI does not have. */
export default {
	theme: {
		extend: {
			colors: {
				muted: 'var(--muted)',
				line: 'var(--color-base-300)',
				gain: 'var(--color-success)',
				loss: 'var(--color-error)',
				field: 'var(--field-line)',
			},
			// Poppins has no rupee sign.
			fontFamily: { sans: ['Poppins', 'Figures', 'system-ui', 'sans-serif'] },
			// Captions and help.
			fontSize: { xs: ['0.8125rem', '1.25rem'] },
			spacing: { menu: '260px', 'menu-narrow': '120px', logo: '175px' },
			borderRadius: { DEFAULT: '6px' },
			zIndex: { overlay: '1000', modal: '1100', toast: '1200' },
			maxWidth: { content: '1200px' },
		},
	},
} satisfies Config
