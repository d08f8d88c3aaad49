// SPDX-License-Identifier: MPL-2.0

//go:build acc

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// manager is the field manager of the real FrameworkController.
const manager = "frameworkcontroller"

var (
	frameworks = schema.GroupVersionResource{Group: "frameworkcontroller.microsoft.com", Version: "v1", Resource: "frameworks"}
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	podKind    = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
)

// Engine processes the Frameworks in one namespace when a test calls its
// methods.
type Engine struct {
	Client    dynamic.Interface
	Namespace string
	// Compress compresses every status, regardless of its size.
	Compress bool
	// Busy simulates a busy node whose Pods run for only a second. Like the
	// real engine, Engine then never observes a running Pod, and does not set
	// runTime.
	Busy bool
	// Pause is the polling interval of Follow; 0 means 100 ms.
	Pause time.Duration
	// Attempt is the ID of the Framework attempt that Prepare starts; see
	// Retry.
	Attempt int32
}

// Retry ends the attempt that Prepare started: it deletes the Pods of the attempt and
// waits until they no longer exist. The next call to Prepare starts the next attempt.
func (e *Engine) Retry(ctx context.Context, name string) error {
	e.Attempt++
	for {
		pods, err := e.pods(ctx, name, "")
		if err != nil || len(pods) == 0 {
			return err
		}
		if err := e.deletePods(ctx, pods); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Prepare starts an attempt of a Framework. It creates the ConfigMap and
// Pods, and sets AttemptPreparing.
func (e *Engine) Prepare(ctx context.Context, name string) error {
	fw, err := e.get(ctx, name)
	if err != nil {
		return err
	}
	attempt, err := e.createAttempt(ctx, fw)
	if apierrors.IsAlreadyExists(err) && e.Attempt > 0 {
		attempt, err = e.Client.Resource(configMaps).Namespace(e.Namespace).Get(ctx, framework.ConfigMapName(name), metav1.GetOptions{})
	}
	if err != nil {
		return err
	}
	st := newStatus(fw, string(attempt.GetUID()))
	st.AttemptStatus.ID, st.RetryPolicyStatus.TotalRetriedCount = e.Attempt, e.Attempt
	for i := range st.AttemptStatus.TaskRoleStatuses {
		role := &st.AttemptStatus.TaskRoleStatuses[i]
		for j := range role.TaskStatuses {
			task := &role.TaskStatuses[j]
			pod, err := e.createPod(ctx, fw, attempt, fw.Spec.TaskRoles[i], task.Index)
			if err != nil {
				return err
			}
			uid := string(pod.GetUID())
			instance := framework.InstanceUID(0, uid)
			task.State, task.AttemptStatus.PodUID, task.AttemptStatus.InstanceUID = framework.StateAttemptPreparing, &uid, &instance
		}
	}
	return e.write(ctx, name, fw.Metadata.UID, func(*framework.Framework) *framework.Status { return st })
}

// Run marks every task as running.
func (e *Engine) Run(ctx context.Context, name string) error {
	return e.write(ctx, name, "", func(fw *framework.Framework) *framework.Status {
		now := time.Now().UTC().Truncate(time.Second)
		fw.Status.State, fw.Status.RunTime = framework.StateAttemptRunning, &now
		eachTask(fw.Status, func(_ string, t *framework.TaskStatus) {
			t.State, t.RunTime, t.AttemptStatus.RunTime = framework.StateAttemptRunning, &now, &now
		})
		return fw.Status
	})
}

// Complete ends every task with the given outcome. It also ends the Framework
// according to the completion policy, and deletes the Pods and the ConfigMap.
func (e *Engine) Complete(ctx context.Context, name string, outcome func(role string, index int32) *framework.CompletionStatus) error {
	return e.complete(ctx, name, "", outcome)
}

// complete is like Complete, but only for the Framework with the given UID.
func (e *Engine) complete(ctx context.Context, name, uid string, outcome func(role string, index int32) *framework.CompletionStatus) error {
	err := e.Client.Resource(configMaps).Namespace(e.Namespace).Delete(ctx, framework.ConfigMapName(name), metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return e.write(ctx, name, uid, func(fw *framework.Framework) *framework.Status {
		now := time.Now().UTC().Truncate(time.Second)
		st := fw.Status
		end := func(ofAttempt bool) (*framework.CompletionStatus, bool) {
			eachTask(st, func(role string, t *framework.TaskStatus) {
				if c := outcome(role, t.Index); (c.Code == framework.CodeAttemptCompletion) == ofAttempt {
					t.State, t.CompletionTime, t.AttemptStatus.CompletionTime = framework.StateCompleted, &now, &now
					t.AttemptStatus.CompletionStatus = c
				}
			})
			return framework.Complete(&fw.Spec, &st.AttemptStatus)
		}
		// Tasks that ended on their own come first, because one of them may trigger
		// the completion that ends the others.
		done, over := end(false)
		if last, also := end(true); !over {
			done, over = last, also
		}
		if over {
			st.AttemptStatus.CompletionStatus, st.AttemptStatus.CompletionTime = done, &now
			st.State, st.CompletionTime = framework.StateCompleted, &now
		}
		return st
	})
}

func eachTask(st *framework.Status, do func(role string, t *framework.TaskStatus)) {
	roles, err := st.AttemptStatus.Roles()
	if err != nil {
		panic(err)
	}
	st.AttemptStatus.TaskRoleStatuses, st.AttemptStatus.TaskRoleStatusesCompressed = roles, nil
	for i := range roles {
		for j := range roles[i].TaskStatuses {
			do(roles[i].Name, &roles[i].TaskStatuses[j])
		}
	}
}

func newStatus(fw *framework.Framework, attemptUID string) *framework.Status {
	now := time.Now().UTC().Truncate(time.Second)
	instance := framework.InstanceUID(0, attemptUID)
	st := &framework.Status{StartTime: now, TransitionTime: now, State: framework.StateAttemptPreparing}
	st.AttemptStatus = framework.AttemptStatus{StartTime: now, InstanceUID: &instance, ConfigMapName: framework.ConfigMapName(fw.Metadata.Name), ConfigMapUID: &attemptUID}
	for _, role := range fw.Spec.TaskRoles {
		rs := framework.TaskRoleStatus{Name: role.Name, InstanceUID: "role-" + role.Name, PodGracefulDeletionTimeoutSec: role.Task.PodGracefulDeletionTimeoutSec, TaskStatuses: []framework.TaskStatus{}}
		for i := range role.TaskNumber {
			rs.TaskStatuses = append(rs.TaskStatuses, framework.TaskStatus{
				Index: i, InstanceUID: fmt.Sprintf("task-%s-%d", role.Name, i), StartTime: now, TransitionTime: now, State: framework.StateAttemptCreationPending,
				AttemptStatus: framework.TaskAttemptStatus{StartTime: now, PodName: framework.PodName(fw.Metadata.Name, role.Name, int(i))},
			})
		}
		st.AttemptStatus.TaskRoleStatuses = append(st.AttemptStatus.TaskRoleStatuses, rs)
	}
	return st
}

func (e *Engine) get(ctx context.Context, name string) (*framework.Framework, error) {
	o, err := e.Client.Resource(frameworks).Namespace(e.Namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	fw := &framework.Framework{}
	return fw, convert(o.Object, fw)
}

// errReplaced reports that the Framework was deleted, even if a new one has its
// name.
var errReplaced = errors.New("the Framework no longer exists")

// write replaces a whole Framework. The types of the real engine add zero values and
// nulls, and drop unknown fields. If uid is not empty, it must be the UID of the
// Framework.
func (e *Engine) write(ctx context.Context, name, uid string, status func(*framework.Framework) *framework.Status) error {
	for {
		o, err := e.Client.Resource(frameworks).Namespace(e.Namespace).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) || err == nil && uid != "" && string(o.GetUID()) != uid {
			return errReplaced
		}
		if err != nil {
			return err
		}
		fw := &framework.Framework{}
		if err := convert(o.Object, fw); err != nil {
			return err
		}
		st := status(fw)
		if e.Compress {
			compressAlways(&st.AttemptStatus)
		}
		var text map[string]any
		if err := convert(st, &text); err != nil {
			return err
		}
		o.Object["status"] = text
		if err := throughTypes(o.Object); err != nil {
			return err
		}
		_, err = e.Client.Resource(frameworks).Namespace(e.Namespace).Update(ctx, o, metav1.UpdateOptions{FieldManager: manager})
		if !apierrors.IsConflict(err) {
			return err
		}
	}
}

// throughTypes re-encodes the spec with the types of the real engine.
func throughTypes(object map[string]any) error {
	var spec framework.Spec
	if err := convert(object["spec"], &spec); err != nil {
		return err
	}
	live, _ := object["spec"].(map[string]any)
	roles, _ := live["taskRoles"].([]any)
	for i, role := range roles {
		task := role.(map[string]any)["task"].(map[string]any)
		var pod corev1.PodTemplateSpec
		if err := convert(task["pod"], &pod); err != nil {
			return err
		}
		var text map[string]any
		if err := convert(pod, &text); err != nil {
			return err
		}
		text["metadata"].(map[string]any)["creationTimestamp"] = nil
		var typed map[string]any
		if err := convert(spec.TaskRoles[i], &typed); err != nil {
			return err
		}
		typed["task"].(map[string]any)["pod"] = text
		roles[i] = typed
	}
	live["description"], live["retryPolicy"] = spec.Description, map[string]any{"fancyRetryPolicy": spec.RetryPolicy.FancyRetryPolicy, "maxRetryCount": int64(spec.RetryPolicy.MaxRetryCount)}
	return nil
}

func (e *Engine) createAttempt(ctx context.Context, fw *framework.Framework) (*unstructured.Unstructured, error) {
	return e.Client.Resource(configMaps).Namespace(e.Namespace).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{
			"name": framework.ConfigMapName(fw.Metadata.Name), "finalizers": []any{"foregroundDeletion"},
			"labels":          map[string]any{"FC_FRAMEWORK_NAME": fw.Metadata.Name},
			"ownerReferences": owner(framework.APIVersion, framework.Kind, fw.Metadata.Name, fw.Metadata.UID),
		},
	}}, metav1.CreateOptions{FieldManager: manager})
}

// createPod creates the Pod of a task from the template.
func (e *Engine) createPod(ctx context.Context, fw *framework.Framework, attempt *unstructured.Unstructured, role framework.TaskRole, index int32) (*unstructured.Unstructured, error) {
	text, err := json.Marshal(role.Task.Pod)
	if err != nil {
		return nil, err
	}
	name := framework.PodName(fw.Metadata.Name, role.Name, int(index))
	filled := strings.NewReplacer(
		"{{FC_FRAMEWORK_NAMESPACE}}", e.Namespace, "{{FC_FRAMEWORK_NAME}}", fw.Metadata.Name, "{{FC_TASKROLE_NAME}}", role.Name,
		"{{FC_TASK_INDEX}}", fmt.Sprint(index), "{{FC_CONFIGMAP_NAME}}", attempt.GetName(), "{{FC_POD_NAME}}", name).Replace(string(text))
	var pod map[string]any
	if err := json.Unmarshal([]byte(filled), &pod); err != nil {
		return nil, err
	}
	o := &unstructured.Unstructured{Object: pod}
	o.SetAPIVersion("v1")
	o.SetKind("Pod")
	o.SetName(name)
	o.SetNamespace(e.Namespace)
	labels := o.GetLabels()
	labels["FC_FRAMEWORK_NAME"], labels["FC_TASKROLE_NAME"], labels["FC_TASK_INDEX"] = fw.Metadata.Name, role.Name, fmt.Sprint(index)
	o.SetLabels(labels)
	identify(o, e.identity(fw, attempt, role.Name, index))
	pod["metadata"].(map[string]any)["ownerReferences"] = owner("v1", "ConfigMap", attempt.GetName(), string(attempt.GetUID()))
	return e.Client.Resource(podKind).Namespace(e.Namespace).Create(ctx, o, metav1.CreateOptions{FieldManager: manager})
}

func owner(apiVersion, kind, name, uid string) []any {
	return []any{map[string]any{"apiVersion": apiVersion, "kind": kind, "name": name, "uid": uid, "controller": true, "blockOwnerDeletion": true}}
}

func compressAlways(st *framework.AttemptStatus) {
	roles := st.TaskRoleStatuses
	padding := framework.TaskRoleStatus{Name: strings.Repeat("x", framework.CompressionLimit)}
	st.TaskRoleStatuses = append(append([]framework.TaskRoleStatus{}, roles...), padding)
	if err := st.Compress(); err != nil {
		panic(err)
	}
}

func convert(from, into any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
