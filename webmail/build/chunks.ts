import { build, type Plugin, type PluginOption, type Rolldown } from 'vite';
import { firstScreens } from './first-screens.ts';

/**
 * The first module of each screen of a first visit. `base` is part of every screen, and
 * `afterwards` loads after each.
 */
const screens: Record<string, string> = {
  base: '/index.html',
  ...Object.fromEntries(Object.entries(firstScreens).map(([name, { first }]) => [name, first])),
  afterwards: '/src/app/Afterwards.tsx',
};

/**
 * The screens of administrators: a person who opens one of them usually opens others. They compress
 * well as one file, and the first script has to name only one file for all of them.
 */
const consoleModules = new RegExp(
  [
    '/webmail/src/features/(?:audit-log|clients|companies|domains|groups|modules|permissions|roles|trace|users)/',
    '/webmail/src/lib/(?:compan|csv|generate)',
    '/webmail/src/hooks/use-debounced',
    '/webmail/src/components/form/(?:GivenPasswordField|NumberField|PickField|RecordPicker)',
    '/webmail/src/components/list/(?:record-state|ExportButton|ListScreen|DataTable|ListToolbar|TableRow|TableSkeleton)',
    '/webmail/src/words/(?:audit-log|catch-all|clients|companies|dns-check|dns-records|domain-guard|domains|groups|mail-queue|many-users|message-trace|modules|permission-matrix|roles|setup-guide|users)\\.',
    '/core/src/contracts/(?:aliases|audit-log|catch-all|clients|companies|domain-check|domain-guard|domains|groups|many-users|modules|permission-matrix)\\.',
    '/core/src/contracts/(?:postal-code|queue|roles|setup-guide|trace|users)\\.',
  ].join('|'),
);

/**
 * Further modules that people need together, by the name of the file that contains them. The first
 * script names each file that a page needs, so fewer files make it smaller.
 */
const groups: Record<string, RegExp> = {
  console: consoleModules,
  /**
   * Small parts that many pages share. As separate files they would have some hundred bytes each.
   */
  crumbs: new RegExp(
    [
      '/webmail/src/components/page/(?:Facts|Section|TabbedPage|Tabs|tab-styles)',
      '/webmail/src/(?:words/(?:link|records|limits)|lib/(?:limits|prepared-mail))\\.',
      '/react-icons/lib/atoms/svg/(?:add|checkmark|edit|folder)\\.',
      '/core/src/contracts/(?:endpoint|fields|forwarding|limits|list|profile|records)\\.',
      '/webmail/src/(?:hooks/use-changed|components/FileChoice)\\.',
      '/@fluentui/(?:react-context-selector/|react-utilities/lib/compose/)',
    ].join('|'),
  ),
  /** Menu and dialog of labels: a person who opens one may soon open the other. */
  labels:
    /\/webmail\/src\/features\/mail\/labels\/(?:LabelMenu|LabelDialog|next-colour)\.|\/core\/src\/contracts\/labels\./,
  /** The pages of mailed links, and those on which a person chooses a password. */
  links:
    /\/webmail\/src\/features\/auth\/(?:AgreeByLink|ChangeOwnPassword|ChangePassword|Confirm|Forgot|NewPassword|SetPassword|use-link)|\/webmail\/src\/words\/(?:change-password|links|forgot)/,
  /** The screens on which a person enters a second factor or turns it on. */
  factor:
    /\/webmail\/src\/features\/settings\/security\/(?:ForcedTwoFactor|TurnOn|InfoDialog|PasswordDialog|use-code-form)|\/webmail\/src\/components\/CopyButton/,
};

/**
 * Puts modules that the same screens of a first visit need into one file. Otherwise the bundler
 * would make fifty files for the login page. That would be fifty requests, and a seventh more
 * bytes, since small files compress badly. A trial build shows what each screen needs after unused
 * code is removed.
 * @param plugins makes the plugins of the build again, for the trial build
 */
export function groupChunks(plugins: () => PluginOption[]): Plugin {
  return {
    name: 'group-chunks',
    apply: 'build',
    async config({ root, build: options }) {
      const reach = await findReach(root ?? process.cwd(), plugins(), options?.target);
      // The first module of a screen stays in a separate chunk, so that the manifest shows which
      // files the screen needs
      const name = (id: string): string | null => {
        if (isFirst(id)) return null;
        return nameFor(reach.get(id)) ?? restOf(id);
      };
      const codeSplitting = { groups: [{ name, debugName: 'first-visit' }], includeDependenciesRecursively: false };
      return {
        build: { rolldownOptions: { output: { codeSplitting } } },
      };
    },
  };
}

function restOf(id: string): string | null {
  return Object.keys(groups).find((name) => groups[name]?.test(id)) ?? null;
}

function isFirst(id: string): boolean {
  return Object.entries(screens).some(([name, first]) => name !== 'base' && id.endsWith(first));
}

/**
 * The file for modules that these screens need. Some files serve several screens, so a screen may
 * load some hundred bytes that it does not need.
 */
function nameFor(reachedBy: string[] | undefined): string | null {
  if (!reachedBy) return null;
  if (reachedBy.includes('base')) return 'base';
  const names = reachedBy.filter((name) => name !== 'afterwards');
  if (names.length > 1 && names.includes('login')) return 'common';
  if (names.includes('shell')) return 'shell';
  return names.length > 1 ? names.join('-') : reachedBy.join('-');
}

/** The screens of a first visit that need each module. */
async function findReach(
  root: string,
  plugins: PluginOption[],
  target: string | string[] | false | undefined,
): Promise<Map<string, string[]>> {
  const trial = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: { write: false, minify: false, ...(target ? { target } : {}) },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(trial.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const reach = new Map<string, string[]>();
  for (const [name, first] of Object.entries(screens)) {
    for (const id of modulesBelow(chunks, first)) reach.set(id, [...(reach.get(id) ?? []), name]);
  }
  return reach;
}

/** All modules of the chunks that a screen loads. */
function modulesBelow(chunks: Map<string, Rolldown.OutputChunk>, first: string): Set<string> {
  const begins = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(first));
  if (!begins) throw new Error(`the build has no chunk that begins with ${first}`);
  const modules = new Set<string>();
  const seen = new Set<string>();
  const open = [begins.fileName];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = chunks.get(name);
    if (!chunk || seen.has(name)) continue;
    seen.add(name);
    for (const id of chunk.moduleIds) modules.add(id);
    open.push(...chunk.imports);
  }
  return modules;
}
