#include "NapkinTestingCRuntime.h"
