import { keepThreadPoolAwake } from '@selvage/core/process/keep-thread-pool-awake';

keepThreadPoolAwake();
